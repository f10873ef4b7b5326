import { DEMO_PROFILE } from '../../src/simulation/generated/demo.ts'
import { ChainGenerator } from '../../src/simulation/generated/generator.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { toRaw } from '../live/branches.ts'
import { startIndexer, startNode } from '../live/stack.ts'
import { freshDatabase } from '../support/database.ts'

export const CHAIN_ID = 'astrolabe-provable-1'
/** Indexed up to here; the node has the header above, whose root is that of this state, and the votes for it. */
export const HEIGHT = 40
const GENESIS_TIME = Date.parse('2026-11-15T12:00:00Z')
const BLOCK_MS = 6000

/** Few accounts, and txs of every kind in each block. */
const profile = { ...DEMO_PROFILE, users: 12, newcomers: 0.3, countTxs: () => 4 }

export type ProvableChain = { url: string; node: ReplayNode; generator: ChainGenerator }

/** A chain whose headers commit to its state, a node that proves records of it, and an index that ends two blocks below. */
export async function indexProvableChain(): Promise<ProvableChain> {
  const generator = new ChainGenerator({ chainId: CHAIN_ID, genesisTime: GENESIS_TIME, profile })
  // The last block only carries the votes for the one before.
  const blocks = Array.from({ length: HEIGHT + 2 }, (_, i) => generator.next(GENESIS_TIME + (i + 1) * BLOCK_MS))
  const node = await startNode({
    chainId: CHAIN_ID,
    genesis: generator.genesis,
    blocks: toRaw(blocks),
    proveState: generator.prove!,
    startHeight: HEIGHT,
  })
  const url = await freshDatabase()
  await startIndexer(url, [node], { follow: false }).ended
  node.setHeight(HEIGHT + 1)
  return { url, node, generator }
}
