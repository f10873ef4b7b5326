import type { HeaderHashes } from '../client/proof/header-hashes.ts'
import { ForkDetected, NodeFault } from '../lib/errors.ts'

/** Parent that the next block must link to. `hash` is empty before the first block, `resultsHash` undefined when the results are not known. */
export type Parent = { height: number; hash: string; resultsHash?: string | undefined; origin?: string | undefined }

export type Child = { height: number; parentHash: string; hashes: Pick<HeaderHashes, 'last_results_hash'>; origin: string }

/** Results of a height that the next header contradicts. */
export class ResultsRefused extends NodeFault {
  readonly height: number
  readonly origin: string
  constructor({ height, origin = '' }: Parent, code: 'results_hash' | 'validator_updates', what: string) {
    super(code, `${what} of height ${height} are not those that the next header states`, { height, origin })
    this.height = height
    this.origin = origin
  }
}

/** SHA-256 of no bytes, which is the Merkle root of an empty list; early nodes print nothing instead. */
export const HASH_OF_NOTHING = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855'

/** Whether `last_results_hash` of a header is the hash over these results; the latter is upper-case hex. */
export function statesResults(lastResultsHash: string, resultsHash: string): boolean {
  return (lastResultsHash.toUpperCase() || HASH_OF_NOTHING) === resultsHash
}

/** Whether `block` continues `parent`: the next height, its hash, and the hash over its results. Hashes are upper-case hex. */
export function checkLink(parent: Parent, block: Child): void {
  const { height, parentHash, origin } = block
  if (height !== parent.height + 1)
    throw new NodeFault('height_gap', `expected height ${parent.height + 1}, got ${height}`, { height, origin })
  if (parent.hash !== '' && parentHash !== parent.hash)
    throw new ForkDetected(height, { expected: parent.hash, parent: parentHash, origin })
  if (parent.resultsHash !== undefined && !statesResults(block.hashes.last_results_hash, parent.resultsHash))
    throw new ResultsRefused(parent, 'results_hash', 'the tx results')
}
