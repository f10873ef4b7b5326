import type { SourceHead } from '../source.ts'
import { fetchHead, fetchSingle, type NodeClient } from './client.ts'
import { FailedExchange } from './failure.ts'
import { PRUNED_ADVICE, RESULTS_ADVICE } from './node-settings.ts'

/** Where a node stands, and why it cannot be indexed from; no trouble when it can. */
export type NodeProbe = { head: SourceHead; trouble?: string }

/**
 * Asks a node once for its head and for the block and results of `height`, which an index needs next. Its status alone does not tell
 * whether it kept them. Rejects when the node does not answer.
 */
export async function probeNode(node: NodeClient, height: number, signal: AbortSignal): Promise<NodeProbe> {
  const head = await fetchHead(node, { signal })
  if (head.earliest > height)
    return { head, trouble: `it begins at height ${head.earliest} and block ${height} is needed: ${PRUNED_ADVICE}` }
  if (height > head.height) return { head }
  try {
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
