import type { RpcEvent } from '../../src/chain/wire.ts'
import { DEMO_PROFILE } from '../../src/simulation/generated/demo.ts'
import { ChainGenerator } from '../../src/simulation/generated/generator.ts'
import type { ForgedBlock } from '../../src/simulation/node/forge.ts'
import type { ReplayNode, ReplayOptions } from '../../src/simulation/node/node.ts'
import { moduleText } from '../../src/simulation/txs/accounts.ts'
import { movedCoins } from '../../src/simulation/txs/events.ts'
import { toRaw } from './branches.ts'
import { startNode } from './stack.ts'

const CHAIN = 'astrolabe-provable-1'
const GENESIS_TIME = Date.parse('2026-11-01T00:00:00Z')
const BLOCK_MS = 6000

export type ProvableChain = {
  blocks: ForgedBlock[]
  /** A node of this chain, or of one that tells other events of it. */
  start: (blocks: readonly ForgedBlock[], options: Partial<ReplayOptions>) => Promise<ReplayNode>
}

/** A chain whose nodes prove their state. The votes for a block are in the next one. */
export function makeProvableChain(length: number): ProvableChain {
  const generator = new ChainGenerator({ chainId: CHAIN, genesisTime: GENESIS_TIME, profile: DEMO_PROFILE })
  const blocks = Array.from({ length }, (_, i) => generator.next(GENESIS_TIME + (i + 1) * BLOCK_MS))
  return {
    blocks,
    start: (told, options) =>
      startNode({ chainId: CHAIN, genesis: generator.genesis, blocks: toRaw(told), proveState: generator.prove!, ...options }),
  }
}

/** What a node may tell of the events of a block beside the truth; no hash covers them, and the coins of each add up. */
export const LIES = {
  'a movement of coins left out': (events) => {
    const at = events.findIndex(({ type }, i) => type === 'coin_spent' && isOf(events[i]!, moduleText('fee_collector')))
    return events.filter((_, i) => i < at || i > at + 2)
  },
  'a transfer invented': (events) => [...events, ...toRpc(movedCoins(moduleText('distribution'), moduleText('gov'), '5utia'))],
  'amounts raised in pairs': (events) => {
    const minted = amountOf(events.find(({ type }) => type === 'coinbase')!)
    const raised = `${BigInt(minted.replace('utia', '')) + 1000n}utia`
    return raise(events, minted, raised)
  },
} satisfies Record<string, (events: RpcEvent[]) => RpcEvent[]>

export type Lie = keyof typeof LIES

/** The chain with a lie at some heights. */
export function tellLies(blocks: readonly ForgedBlock[], lie: Lie, isFalse: (height: number) => boolean): ForgedBlock[] {
  return blocks.map((forged) => {
    if (!isFalse(forged.height)) return forged
    const events = LIES[lie](structuredClone(forged.results.finalize_block_events ?? []))
    return { ...forged, results: { ...forged.results, finalize_block_events: events } }
  })
}

const amountOf = ({ attributes }: RpcEvent): string => attributes!.find(({ key }) => key === 'amount')!.value!
const isOf = ({ attributes }: RpcEvent, account: string) => attributes!.some(({ value }) => value === account)

function raise(events: RpcEvent[], from: string, to: string): RpcEvent[] {
  for (const { attributes } of events)
    for (const attribute of attributes ?? []) if (attribute.value === from) attribute.value = to
  return events
}

function toRpc(events: ReturnType<typeof movedCoins>): RpcEvent[] {
  return events.map(({ type, attributes }) => ({
    type,
    attributes: [...attributes, ['mode', 'EndBlock'] as const].map(([key, value]) => ({ key, value, index: true })),
  }))
}
