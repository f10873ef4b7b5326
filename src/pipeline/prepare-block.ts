import { parseRawBlock } from '../chain/parse.ts'
import type { RawBlock } from '../chain/source.ts'
import { matchesDataHash } from '../decode/square/data-hash.ts'
import { deriveBlock } from '../derive/block.ts'
import { NodeFault } from '../lib/errors.ts'
import { freeLargeMemory } from '../runtime/free-memory.ts'
import { APPEND_ONLY } from '../store/pack/append-only.ts'
import { packBlock } from '../store/pack/pack-block.ts'
import type { PackedBlock } from '../store/pack/packed-block.ts'
import { packTxs } from '../store/pack/packed-txs.ts'
import type { ChainBlock } from '../types/chain.ts'

/** A packed block with what the pipeline needs to check it against its neighbours. Hashes are upper-case hex. */
export type PreparedBlock = PackedBlock &
  Pick<ChainBlock, 'lastResultsHash' | 'validatorsHash' | 'nextValidatorsHash' | 'validatorUpdates'> & {
    /** who gave it */
    origin: string
    resultsHash: string
    /** its txs are those that the header seals */
    isRootChecked: boolean
  }

/**
 * Whose txs are compared with the root that the header states: all heights up to `until` and from `from` on, and of those between a random
 * share. Nobody can know which they are.
 */
export type RootChecks = { until: number; from: number; share: number }

/** One height from JSON text to rows: the whole of a worker's job, without state. With `forSegments` the block's txs become a row too. */
export function prepareBlock(raw: RawBlock, chainId: string, roots: RootChecks, forSegments = false): PreparedBlock {
  const block = parseRawBlock(raw, { chainId })
  const isChecked = block.height <= roots.until || block.height >= roots.from || Math.random() < roots.share
  if (isChecked) checkDataRoot(block)
  const packed = packBlock(deriveBlock(block), { forSegments })
  if (forSegments) packed.keptTxsRow = APPEND_ONLY.block_txs.line({ height: block.height, txs: packTxs(block.txs) })
  // Rows hold no view on a tx.
  for (const { buffer } of block.txs) freeLargeMemory(buffer)
  // Not a spread: V8 writes each field behind one by a slow run-time call (docs/decisions/0104-code-that-runs-per-row.md).
  return Object.assign(packed, {
    origin: raw.origin,
    resultsHash: block.resultsHash,
    isRootChecked: isChecked,
    lastResultsHash: block.lastResultsHash,
    validatorsHash: block.validatorsHash,
    nextValidatorsHash: block.nextValidatorsHash,
    validatorUpdates: block.validatorUpdates,
  })
}

/** The header seals the txs by the root of their square: a tx that was changed on the way shows here. */
function checkDataRoot({ height, txs, versionApp, dataHash }: ChainBlock): void {
  if (!matchesDataHash(txs, versionApp, dataHash))
    throw new NodeFault('data_hash', `the txs of height ${height} do not have the root that the header states`, { height })
}
