/** A node whose blocks are made when they are asked for. Started by `fork` with the number of blocks; ends with its parent. */

import { freeRawBlock } from '../../src/chain/raw-memory.ts'
import type { RawBlock } from '../../src/chain/source.ts'
import { ChainGenerator } from '../../src/simulation/generated/generator.ts'
import type { ReplayChain } from '../../src/simulation/node/chain.ts'
import { toRawBlock } from '../../src/simulation/node/forge.ts'
import { startReplayNode } from '../../src/simulation/node/node.ts'
import { SCALE_PROFILE } from './scale-profile.ts'

const CHAIN_ID = 'astrolabe-scale-1'
const GENESIS_TIME = Date.parse('2026-01-01T00:00:00Z')
const BLOCK_MS = 6_000
/** A reader asks in order, a few hundred heights ahead of what it has taken. */
const KEPT = 5_000

// The votes for a block are in the next one.
const last = Number(process.argv[2]) + 1
const generator = new ChainGenerator({ chainId: CHAIN_ID, genesisTime: GENESIS_TIME, profile: SCALE_PROFILE })
const kept = new Map<number, RawBlock>()

function makeUpTo(height: number): void {
  for (let next = generator.state.height + 1; next <= height; next++) {
    kept.set(next, toRawBlock(generator.next(GENESIS_TIME + next * BLOCK_MS)))
    forget(next - KEPT)
  }
}

/** Memory that waits for the collector makes it run, and every run looks at all accounts of the chain: the longer the chain, the dearer. */
function forget(height: number): void {
  const old = kept.get(height)
  if (!old) return
  freeRawBlock(old)
  kept.delete(height)
}

const chain: ReplayChain = {
  chainId: CHAIN_ID,
  first: 1,
  last: () => last,
  genesis: async () => generator.genesis,
  async block(height) {
    // The status tells of the head, which is made last.
    if (height < last || generator.state.height === last - 1) makeUpTo(height)
    return kept.get(height)
  },
  replaceFrom() {
    throw new Error('the chain has no branches')
  },
}

const node = await startReplayNode({ chain, maxBatchCalls: 100 })
process.send?.({ url: node.url })
process.on('disconnect', () => process.exit(0))
