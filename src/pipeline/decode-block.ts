import { parseRawBlock } from '../chain/parse.ts'
import type { RawBlock } from '../chain/source.ts'
import { deriveBlock } from '../derive/block.ts'
import { type PackedBlock, packBlock } from '../store/pack/pack-block.ts'

/** A packed block with what the pipeline needs to check it against its neighbours. */
export type DecodedBlock = PackedBlock & {
  /** who gave it */
  origin: string
  /** hash over the tx results; the next header must state it as `lastResultsHash` */
  resultsHash: string
  lastResultsHash: string
}

/** One height from JSON text to rows: the whole of a worker's job, without state. */
export function decodeBlock(raw: RawBlock, chainId: string): DecodedBlock {
  const block = parseRawBlock(raw, { chainId })
  return {
    ...packBlock(deriveBlock(block)),
    origin: raw.origin,
    resultsHash: block.resultsHash,
    lastResultsHash: block.lastResultsHash,
  }
}
