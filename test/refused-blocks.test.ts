import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RpcEvent } from '../src/chain/wire.ts'
import { NodeFault } from '../src/lib/errors.ts'
import { ALL_HEIGHTS, NO_HEIGHTS, prepareBlock } from '../src/pipeline/prepare-block.ts'
import { DEMO_PROFILE } from '../src/simulation/generated/demo.ts'
import { ChainGenerator } from '../src/simulation/generated/generator.ts'
import { type ForgedBlock, toRawBlock } from '../src/simulation/node/forge.ts'

const CHAIN = 'astrolabe-refused-1'
const GENESIS_TIME = Date.parse('2026-11-01T00:00:00Z')
const BLOCK_MS = 6000

/** The first block with a tx that sends coins, and the events of that tx. */
function makeBlockWithSend(): ForgedBlock {
  const generator = new ChainGenerator({ chainId: CHAIN, genesisTime: GENESIS_TIME, profile: DEMO_PROFILE })
  for (let height = 1; ; height++) {
    const forged = generator.next(GENESIS_TIME + height * BLOCK_MS)
    if (findSend(forged)) return forged
  }
}

const findSend = ({ results }: ForgedBlock): RpcEvent[] | undefined =>
  results.txs_results?.find(({ code, events }) => !code && (events ?? []).some(isSend))?.events ?? undefined

const isSend = ({ type, attributes }: RpcEvent) =>
  type === 'message' && attributes!.some(({ key, value }) => key === 'action' && value === '/cosmos.bank.v1beta1.MsgSend')

const block = makeBlockWithSend()
const prepare = (forged: ForgedBlock) => prepareBlock(toRawBlock(forged), CHAIN, { roots: ALL_HEIGHTS, events: NO_HEIGHTS })

const ofType = (events: readonly RpcEvent[], type: string) => events.filter((event) => event.type === type)
const amountOf = ({ attributes }: RpcEvent) => attributes!.find(({ key }) => key === 'amount')!

/** Raises every amount of these events that is `amount`. */
function raise(events: readonly RpcEvent[], amount: string): void {
  const raised = `${BigInt(amount.replace('utia', '')) + 1n}utia`
  for (const { attributes } of events) for (const each of attributes ?? []) if (each.value === amount) each.value = raised
}

const LIES: Record<string, { code: string; tell: (forged: ForgedBlock, events: RpcEvent[]) => void }> = {
  'coin_received alone raised': {
    code: 'events_contradict',
    tell: (_, events) =>
      raise([ofType(events, 'coin_received').at(-1)!], amountOf(ofType(events, 'coin_received').at(-1)!).value!),
  },
  'coin_spent alone raised': {
    code: 'events_contradict',
    tell: (_, events) => raise([ofType(events, 'coin_spent').at(-1)!], amountOf(ofType(events, 'coin_spent').at(-1)!).value!),
  },
  'coin_received of the block itself raised': {
    code: 'events_contradict',
    tell: ({ results }) => {
      const [received] = ofType(results.finalize_block_events ?? [], 'coin_received')
      raise([received!], amountOf(received!).value!)
    },
  },
  'a send raised in all its events': {
    code: 'events_contradict',
    tell: (_, events) => raise(events, amountOf(ofType(events, 'coin_spent').at(-1)!).value!),
  },
  'a fee raised in all its events': {
    code: 'events_contradict',
    tell: (_, events) => raise(events, amountOf(ofType(events, 'coin_spent')[0]!).value!),
  },
  'all events of a tx left out': { code: 'events_contradict', tell: (_, events) => void events.splice(0) },
  'another square_size': { code: 'square_size', tell: (forged) => void (forged.block.block.data.square_size = '128') },
  'another byte in a tx': {
    code: 'data_hash',
    tell: ({ block: { block: told } }) => {
      const bytes = Buffer.from(told.data.txs![0]!, 'base64')
      bytes[bytes.length - 1]! ^= 1
      told.data.txs![0] = bytes.toString('base64')
    },
  },
}

test('a block that is told truly is taken', () => {
  assert.equal(prepare(block).isRootChecked, true)
})

for (const [name, { code, tell }] of Object.entries(LIES))
  test(`a block is refused before it is written: ${name}`, () => {
    const forged = structuredClone(block)
    tell(forged, findSend(forged)!)
    assert.throws(
      () => prepare(forged),
      (error) => error instanceof NodeFault && error.code === code,
    )
  })
