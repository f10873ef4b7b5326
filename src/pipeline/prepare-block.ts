import { hashEvents } from '../chain/events-hash.ts'
import { parseRawBlock } from '../chain/parse.ts'
import type { RawBlock } from '../chain/source.ts'
import { deriveBlock } from '../derive/block.ts'
import { NodeFault } from '../lib/errors.ts'
import { freeLargeMemory } from '../runtime/free-memory.ts'
import { APPEND_ONLY } from '../store/pack/append-only.ts'
import { packBlock } from '../store/pack/pack-block.ts'
import type { PackedBlock } from '../store/pack/packed-block.ts'
import { packTxs } from '../store/pack/packed-txs.ts'
import type { BlockFacts } from '../types/block-facts.ts'
import type { ChainBlock } from '../types/chain.ts'
import { checkDataRoot } from './verify/data-root.ts'

/** A packed block with what the pipeline needs to check it against its neighbours. Hashes are upper-case hex. */
export type PreparedBlock = PackedBlock &
  Pick<ChainBlock, 'hashes' | 'validatorUpdates'> & {
    /** who gave it */
    origin: string
    resultsHash: string
    /** its txs are those that the header seals */
    isRootChecked: boolean
    /** digest of its events, where they are to be compared between nodes */
    eventsHash: string | undefined
  }

/** All heights up to `until` and from `from` on, and of those between a random share. Nobody can know which they are. */
export type Chosen = { until: number; from: number; share: number }

/** `roots`: whose txs are compared with the root that the header states. `events`: whose events are compared between nodes. */
export type BlockChecks = { roots: Chosen; events: Chosen }

export const NO_HEIGHTS: Chosen = { until: 0, from: Number.POSITIVE_INFINITY, share: 0 }
export const ALL_HEIGHTS: Chosen = { until: Number.POSITIVE_INFINITY, from: 0, share: 1 }

const isChosen = (height: number, { until, from, share }: Chosen): boolean =>
  height <= until || height >= from || Math.random() < share

/** One height from JSON text to rows: the whole of a worker's job, without state. With `forSegments` the block's txs become a row too. */
export function prepareBlock(raw: RawBlock, chainId: string, checks: BlockChecks, forSegments = false): PreparedBlock {
  const block = parseRawBlock(raw, { chainId })
  const isChecked = isChosen(block.height, checks.roots)
  const sealedSize = isChecked ? checkDataRoot(block) : undefined
  const eventsHash = isChosen(block.height, checks.events) ? hashEvents(block) : undefined
  const facts = deriveBlock(block)
  checkTold(block, facts, sealedSize)
  const packed = packBlock(facts, { forSegments })
  if (forSegments) packed.keptTxsRow = APPEND_ONLY.block_txs.line({ height: block.height, txs: packTxs(block.txs) })
  // Rows hold no view on a tx.
  for (const { buffer } of block.txs) freeLargeMemory(buffer)
  // Not a spread: V8 writes each field behind one by a slow run-time call (docs/decisions/0104-code-that-runs-per-row.md).
  return Object.assign(packed, {
    origin: raw.origin,
    resultsHash: block.resultsHash,
    isRootChecked: isChecked,
    eventsHash,
    hashes: block.hashes,
    validatorUpdates: block.validatorUpdates,
  })
}

/** Checks what the header does not seal, as far as it can be computed. */
function checkTold(
  { height, squareSize }: ChainBlock,
  { stats, contradiction }: BlockFacts,
  sealedSize = stats.squareSize,
): void {
  if (squareSize !== sealedSize)
    throw new NodeFault('square_size', `the square of height ${height} has side ${sealedSize}, the node says ${squareSize}`, {
      height,
    })
  if (contradiction !== undefined)
    throw new NodeFault('events_contradict', `the events of height ${height} cannot be: ${contradiction}`, { height })
}
