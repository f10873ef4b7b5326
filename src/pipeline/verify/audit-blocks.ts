import { statesResults } from '../../chain/link.ts'
import { type ParsedBlock, parseRawBlock } from '../../chain/parse.ts'
import type { BlockReader } from '../../chain/source.ts'
import { ValidatorSet } from '../../chain/validator-set.ts'
import { deriveBlock } from '../../derive/block.ts'
import { NodeFault } from '../../lib/errors.ts'
import type { Random } from '../../lib/random.ts'
import { listKnownVoters, listNextVoters, readLinkTo, readStoredBlock } from '../../store/audit/stored-block.ts'
import type { Reader } from '../../store/db.ts'
import type { Head } from '../../store/read/head/head.ts'
import { compareBlock, toRecord } from './compare-block.ts'
import { checkDataRoot } from './data-root.ts'

export type BlockAudit = { sql: Reader; reader: BlockReader; chainId: string; signal: AbortSignal }

/** Nodes that are tried for a block whose first answers were wrong. */
const TRIES = 3

/** Heights to look at: all of them, or the first, the last and some at random, together `count`, in ascending order. */
export function chooseHeights(
  { first_height, last_height: last, has_state }: Pick<Head, 'first_height' | 'last_height' | 'has_state'>,
  count: number | 'all',
  random: Random = Math.random,
): number[] {
  // An index with state begins with a pseudo-block.
  const first = has_state ? first_height + 1 : first_height
  const length = Math.max(last - first + 1, 0)
  if (count === 'all' || count >= length) return Array.from({ length }, (_, i) => first + i)
  const chosen = new Set([first, last])
  while (chosen.size < count) chosen.add(first + Math.floor(random() * length))
  return [...chosen].sort((a, b) => a - b)
}

/**
 * Differences of the rows of a height, recomputed from the block that a node has; undefined when no node has it. The node is not
 * believed: its header has the hash that the index has, its txs the root that the header states, its results the hash that the next header
 * states. The hash itself is right when all hashes above it link up to a block that others confirm.
 */
export async function auditBlock({ sql, reader, chainId, signal }: BlockAudit, height: number): Promise<string[] | undefined> {
  const stored = await readStoredBlock(sql, height)
  if (!stored) return [`block ${height} is missing`]
  const block = await readBlock({ reader, chainId, signal }, height)
  if (!block) return undefined
  const hash = block.hash.toLowerCase()
  if (hash !== stored.block.hash) return [`block ${height}: hash is "${hash}", the index says "${String(stored.block.hash)}"`]
  const lines: string[] = []
  const above = await readLinkTo(sql, height)
  if (above && above.parent_hash !== hash) lines.push(`block ${height + 1} does not name block ${height} as its parent`)
  if (above && !statesResults(above.last_results_hash, block.resultsHash))
    lines.push(`block ${height}: its results are not those that the header of block ${height + 1} states`)
  lines.push(...compareBlock(height, stored, toRecord(deriveBlock(block))))
  if (!isSetOf(await listKnownVoters(sql, height), block.hashes.validators_hash))
    lines.push(`block ${height}: the validators and their power are not those of its header`)
  if (!above && !isSetOf(await listNextVoters(sql), block.hashes.next_validators_hash))
    lines.push(`block ${height}: the validators of the next block and their power are not those of its header`)
  return lines
}

/** An index that an older release made, or that began without state, may not know them. */
const isSetOf = (powers: readonly { publicKey: string; power: bigint }[], hash: string): boolean =>
  powers.length === 0 || ValidatorSet.of(powers).hash === hash

/** A block whose header and txs prove themselves; a node that gives another is put aside. */
async function readBlock({ reader, chainId, signal }: Omit<BlockAudit, 'sql'>, height: number): Promise<ParsedBlock | undefined> {
  for (let tries = 1; ; tries++) {
    const raw = await reader.readBlock(height, signal)
    if (!raw) return undefined
    try {
      const block = parseRawBlock(raw, { chainId })
      checkDataRoot(block)
      return block
    } catch (error) {
      if (!(error instanceof NodeFault) || tries === TRIES) throw error
      reader.reportFault(raw.origin, error)
    }
  }
}
