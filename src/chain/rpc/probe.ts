import type { SourceHead } from '../source.ts'
import { fetchCommit, fetchHead, fetchSingle, type NodeClient } from './client.ts'
import { FailedExchange } from './failure.ts'
import { PRUNED_ADVICE, RESULTS_ADVICE } from './node-settings.ts'

/** Where a node stands, and why it cannot be indexed from; no trouble when it can. */
export type NodeProbe = { head: SourceHead; trouble?: string }

/** The height that an index needs next. `beginsThere`: the index begins with it, and needs the header below it too. */
export type NextHeight = { height: number; beginsThere: boolean }

/**
 * Asks a node once for its head and for the block and results of the height that an index needs next. Its status alone does not tell
 * whether it kept them. Rejects when the node does not answer.
 */
export async function probeNode(node: NodeClient, { height, beginsThere }: NextHeight, signal: AbortSignal): Promise<NodeProbe> {
  const head = await fetchHead(node, { signal })
  const lowest = beginsThere ? height - 1 : height
  if (head.earliest > lowest)
    return { head, trouble: `it begins at height ${head.earliest} and block ${lowest} is needed: ${PRUNED_ADVICE}` }
  if (height > head.height)
    return beginsThere ? { head, trouble: `networks[].from_height is ${height}, and it ends at height ${head.height}` } : { head }
  try {
    if (beginsThere) await fetchCommit(node, lowest, { signal })
    await fetchSingle(node, height, { signal })
    return { head }
  } catch (error) {
    if (!(error instanceof FailedExchange)) throw error
    const { failure } = error
    if (failure.kind === 'pruned') return { head, trouble: `it has no block ${height}: ${PRUNED_ADVICE}` }
    if (failure.kind === 'results' || failure.code === 'results_not_kept')
      return { head, trouble: `it has no results of block ${height}: ${RESULTS_ADVICE}` }
    throw error
  }
}

/** Of heights of a node: how many were fetched, and the mean size and time of one. */
export type NodeSample = { count: number; bytes: number; ms: number }

/** Fetches some heights of a range, one after the other. Those that the node does not give are left out; undefined when it gives none. */
export async function sampleNode(
  node: NodeClient,
  { from, to, count }: { from: number; to: number; count: number },
  signal: AbortSignal,
): Promise<NodeSample | undefined> {
  const sum: NodeSample = { count: 0, bytes: 0, ms: 0 }
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now()
    const raw = await fetchSingle(node, from + Math.floor(((to - from) * i) / count), { signal }).catch(() => undefined)
    if (!raw) continue
    sum.count++
    sum.bytes += raw.block.length + raw.results.length
    sum.ms += performance.now() - startedAt
  }
  return sum.count === 0 ? undefined : { count: sum.count, bytes: sum.bytes / sum.count, ms: sum.ms / sum.count }
}
