import { type Digest, foldLeaves, hashLeaf } from '../lib/encoding/merkle.ts'
import { ProtoWriter } from '../lib/encoding/proto-writer.ts'

/** The part of a tx result that all nodes must agree on; `data` is base64. Events, log and gas price are not covered. */
export type DeterministicResult = { code: number; data: string; gasWanted: bigint; gasUsed: bigint }

const writer = new ProtoWriter()

/** `last_results_hash` of the next header: Merkle root over the results of this block's txs. */
export function hashResults(results: readonly DeterministicResult[]): string {
  return foldLeaves(results.map(hashResult))
}

function hashResult(result: DeterministicResult): Digest {
  writer.reset().integer(1, result.code).text(2, result.data, 'base64')
  writer.integer(5, result.gasWanted).integer(6, result.gasUsed)
  return hashLeaf(writer.view)
}
