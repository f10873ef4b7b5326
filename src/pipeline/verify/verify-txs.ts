import { statesResults } from '../../chain/link.ts'
import { type ParsedBlock, parseRawBlock } from '../../chain/parse.ts'
import type { RawBlock } from '../../chain/source.ts'
import { deriveBlock } from '../../derive/block.ts'
import { NodeFault, type PlainError, toPlainError } from '../../lib/errors.ts'
import { readLinkTo, readStoredBlock, type StoredBlock } from '../../store/audit/stored-block.ts'
import type { Reader } from '../../store/db.ts'
import { compareBlock, toRecord } from './compare-block.ts'
import { checkDataRoot } from './data-root.ts'

/**
 * `verified`: the index has the txs that the header seals. `refuted`: it has others. `fault`: the node does not tell the truth; `isIndexed`: the index
 * has what it tells. `other`: the node is on another branch, or the height was taken back meanwhile.
 */
export type TxsVerdict =
  | { kind: 'verified' }
  | { kind: 'other' }
  | { kind: 'refuted'; reason: string }
  | { kind: 'fault'; fault: PlainError; isIndexed: boolean }

/** Compares the rows of a height that follow from its txs with a block of a node, which is not believed either. */
export async function verifyTxs(sql: Reader, raw: RawBlock, chainId: string): Promise<TxsVerdict> {
  const { height } = raw
  const [stored, above] = [await readStoredBlock(sql, height), await readLinkTo(sql, height)]
  if (!stored || !above) return { kind: 'other' }
  let isIndexed = false
  try {
    const block = parseRawBlock(raw, { chainId })
    const hash = block.hash.toLowerCase()
    if (hash !== stored.block.hash || hash !== above.parent_hash) return { kind: 'other' }
    if (!statesResults(above.last_results_hash, block.resultsHash))
      throw new NodeFault('results_hash', `the results of height ${height} are not those that the next header states`, { height })
    const differences = compareSealed(height, stored, block)
    isIndexed = differences.length === 0
    checkDataRoot(block)
    return isIndexed ? { kind: 'verified' } : { kind: 'refuted', reason: differences[0]! }
  } catch (error) {
    if (!(error instanceof NodeFault)) throw error
    return { kind: 'fault', fault: toPlainError(error), isIndexed }
  }
}

/** Columns of a block that follow from its txs and results; the hash covers those of the header. */
const SEALED_COLUMNS = [
  'tx_count',
  'messages_count',
  'blobs_count',
  'blobs_size',
  'gas_limit',
  'gas_used',
  'fee',
  'bytes_in_block',
  'square_size',
  'ods',
]

function compareSealed(height: number, stored: StoredBlock, parsed: ParsedBlock): string[] {
  const { block, txs, ...rest } = toRecord(deriveBlock(parsed))
  const sealed = {
    ...rest,
    block: Object.fromEntries(SEALED_COLUMNS.map((column) => [column, block[column]])),
    // No hash covers the codespace of a failed tx.
    txs: txs.map(({ codespace: _, ...tx }) => tx),
  }
  return compareBlock(height, { ...stored, signedBy: rest.signedBy, knownValidators: [] }, sealed)
}
