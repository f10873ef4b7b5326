import { parseRawBlock } from '../chain/parse.ts'
import type { RawBlock } from '../chain/source.ts'
import { matchesDataHash } from '../decode/square/data-hash.ts'
import { deriveBlock } from '../derive/block.ts'
import { NodeFault } from '../lib/errors.ts'
import { type KeptBlobs, keepBlobs } from '../store/blob-files/keep-blobs.ts'
import { type PackedBlock, packBlock } from '../store/pack/pack-block.ts'
import type { ChainBlock } from '../types/chain.ts'

/** A packed block with what the pipeline needs to check it against its neighbours. */
export type PreparedBlock = PackedBlock & {
  /** who gave it */
  origin: string
  /** hash over the tx results; the next header must state it as `lastResultsHash` */
  resultsHash: string
  lastResultsHash: string
}

/** The data root costs 43 ms of a usual block and 3 s of one with 32 MiB, so only one height in this many is rebuilt, at the tip too. */
const DATA_ROOT_EVERY = 100

/** Where a worker keeps the contents of blobs, and who hears what came of it. */
export type BlobKeeping = { folder: string; onKept: (kept: KeptBlobs) => void }

/** One height from JSON text to rows: the whole of a worker's job, without state. */
export function prepareBlock(raw: RawBlock, chainId: string, keeping?: BlobKeeping): PreparedBlock {
  const block = parseRawBlock(raw, { chainId })
  if (block.height % DATA_ROOT_EVERY === 0) checkDataRoot(block)
  const facts = deriveBlock(block)
  if (keeping && facts.stats.blobsCount > 0) keeping.onKept(keepBlobs(keeping.folder, block, facts))
  return {
    ...packBlock(facts),
    origin: raw.origin,
    resultsHash: block.resultsHash,
    lastResultsHash: block.lastResultsHash,
  }
}

/** The header seals the txs by the root of their square: a tx that was changed on the way shows here. */
function checkDataRoot({ height, txs, versionApp, dataHash }: ChainBlock): void {
  if (!matchesDataHash(txs, versionApp, dataHash))
    throw new NodeFault('data_hash', 'the txs do not have the root that the header states', { height })
}
