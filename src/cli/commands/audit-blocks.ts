import type { NetworkConfig } from '../../config/schema.ts'
import { OperatorError, Transient } from '../../lib/errors.ts'
import { withLinkedSignal } from '../../lib/linked-signal.ts'
import { auditBlock, chooseHeights } from '../../pipeline/verify/audit-blocks.ts'
import { confirmBlock } from '../../pipeline/verify/confirm-block.ts'
import type { AuditStep } from '../../store/audit/audit.ts'
import type { Reader } from '../../store/db.ts'
import { findHead, type Head } from '../../store/read/head/head.ts'
import { type OpenedSource, openSource } from '../wiring/source.ts'

/** A single node may be the publisher's accomplice, or on its own branch. */
export const MIN_NODES = 2

/** Heights of a sample. */
export const SAMPLED_BLOCKS = 100

const STEP = { invariant: 'I17', name: 'rows of blocks follow from headers, txs, results and votes' }
/** More say nothing new. */
const MAX_DETAILS = 20
const REACH_MS = 10_000
export type BlocksAudit = {
  network: NetworkConfig
  sql: Reader
  /** how many heights are recomputed */
  count: number | 'all'
  /** nodes that have to confirm the last block, as far as so many are configured */
  minNodes: number
  signal: AbortSignal
  onBlock?: (done: number, total: number) => void
}

/**
 * Recomputes heights from the blocks of the configured nodes, below a head that several of them confirm. Without a node that answers it is
 * skipped. State that blocks lead to (balances, stake, names of validators) is no part of it.
 */
export async function auditBlocks({ network, sql, count, minNodes, signal, onBlock }: BlocksAudit): Promise<AuditStep> {
  const head = await findHead(sql)
  if (!head || count === 0) return { ...STEP, violations: [], isSkipped: true, reason: 'no height was asked for' }
  const source = await openSource({ ...network, ...(network.rpc && { rpc: [...new Set(network.rpc)] }) })
  try {
    const reason = await findHindrance(source, head, minNodes, signal)
    if (reason !== undefined) return { ...STEP, violations: [], isSkipped: true, reason }
    const heights = chooseHeights(head, count)
    const details: string[] = []
    let missing = 0
    for (const [i, height] of heights.entries()) {
      signal.throwIfAborted()
      const found = await auditBlock({ sql, reader: source, chainId: head.chain_id, signal }, height)
      if (!found) missing++
      else details.push(...found)
      onBlock?.(i + 1, heights.length)
      if (details.length >= MAX_DETAILS) break
    }
    if (missing === heights.length)
      return { ...STEP, violations: [], isSkipped: true, reason: 'no node has the heights asked for' }
    const name = `${STEP.name} (${heights.length - missing} of ${head.last_height})`
    const violations = details.slice(0, MAX_DETAILS).map((detail) => ({ invariant: STEP.invariant, check: STEP.name, detail }))
    return { ...STEP, name, violations }
  } finally {
    await source.close()
  }
}

/** Why nodes cannot be asked; throws when they have another block than the index. */
async function findHindrance(
  source: OpenedSource,
  head: Head,
  minNodes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await withLinkedSignal([signal, AbortSignal.timeout(REACH_MS)], (limited) => source.head(limited))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Transient || error instanceof DOMException) return 'no node answers'
    throw error
  }
  const witnesses = source.witnesses()
  const block = { chainId: head.chain_id, height: head.last_height, hash: head.last_hash }
  try {
    await confirmBlock(witnesses, block, Math.min(minNodes, witnesses.length), signal)
    return undefined
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'not_confirmed') return 'too few nodes confirm the last block'
    throw error
  }
}
