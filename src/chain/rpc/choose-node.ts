import { OperatorError } from '../../lib/errors.ts'
import type { PoolNode } from './node.ts'
import { PRUNED_ADVICE, RESULTS_ADVICE } from './node-settings.ts'

/** Requests to a node: blocks with their results, where it stands, the genesis document. */
export type NodeMethod = 'block' | 'status' | 'genesis'

/** Heights that one request is about; lower `order` goes first. `avoid` has nodes that just failed for it. */
export type Need = { from: number; to: number; order: number; method?: NodeMethod; avoid?: ReadonlySet<string> }

/** Without the nodes that are known not to have a height yet, when a healthy one has it. */
export function preferHolders(nodes: readonly PoolNode[], { to, avoid }: Need, now: number, proven: number): readonly PoolNode[] {
  const lacks = (node: PoolNode) => (node.head.believed(now, proven)?.height ?? to) < to
  const holds = (node: PoolNode) => (node.head.believed(now, proven)?.height ?? 0) >= to
  const hasHolder = nodes.some((node) => holds(node) && node.failures === 0 && !avoid?.has(node.label))
  return hasHolder ? nodes.filter((node) => !lacks(node)) : nodes
}

/** Order of preference: not avoided, fewest failures, cheapest. */
export function compareNodes(a: PoolNode, b: PoolNode, avoid: ReadonlySet<string> | undefined): number {
  const avoided = Number(avoid?.has(a.label) ?? false) - Number(avoid?.has(b.label) ?? false)
  return avoided || a.failures - b.failures || a.cost - b.cost
}

const NEEDS = `For pruned blocks: ${PRUNED_ADVICE}. For missing results: ${RESULTS_ADVICE}`

export function explainPruned(height: number, nodes: readonly PoolNode[], now: number): OperatorError {
  const lowest = Math.min(...nodes.map((node) => node.prunedAbove(height, now) ?? height))
  const message = `no node has block ${height} with its results, the lowest that one has is ${lowest}. ${NEEDS}`
  return new OperatorError('height_pruned', message, { height, lowest })
}
