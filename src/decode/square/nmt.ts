import { equalBytes } from '../../lib/bytes.ts'
import { HASH_SIZE, writeSha256 } from './merkle.ts'
import { NAMESPACE_SIZE } from './namespaces.ts'
import { SHARE_SIZE } from './share-counts.ts'

/**
 * Namespaced Merkle trees. A node is min namespace, max namespace, hash: 90 bytes. Every tree of the chain has a power of two of
 * leaves, so a level is one flat array of nodes and the next level is made of its pairs.
 */
export const NODE_SIZE = 2 * NAMESPACE_SIZE + HASH_SIZE

/** Shows that leaves `start`..`end` (exclusive) are in a tree; `nodes` are the roots of the parts outside, from left to right. */
export type RangeProof = { start: number; end: number; nodes: Uint8Array[] }

const leafInput = new Uint8Array(1 + NAMESPACE_SIZE + SHARE_SIZE)
const nodeInput = new Uint8Array(1 + 2 * NODE_SIZE)
nodeInput[0] = 1

export function writeLeafNode(target: Uint8Array, at: number, namespace: Uint8Array, share: Uint8Array): void {
  leafInput.set(namespace, 1)
  leafInput.set(share, 1 + NAMESPACE_SIZE)
  target.set(namespace, at)
  target.set(namespace, at + NAMESPACE_SIZE)
  writeSha256(target, at + 2 * NAMESPACE_SIZE, leafInput)
}

/** `pair` is the left child followed by the right one. */
function writeParentNode(target: Uint8Array, at: number, pair: Uint8Array): void {
  nodeInput.set(pair, 1)
  // Parity sorts last and says nothing about the data, so it does not move the maximum of a node that has data on its left.
  const maxOf = isParity(pair, NODE_SIZE) && !isParity(pair, 0) ? 0 : NODE_SIZE
  target.set(pair.subarray(0, NAMESPACE_SIZE), at)
  target.set(pair.subarray(maxOf + NAMESPACE_SIZE, maxOf + 2 * NAMESPACE_SIZE), at + NAMESPACE_SIZE)
  writeSha256(target, at + 2 * NAMESPACE_SIZE, nodeInput)
}

function isParity(nodes: Uint8Array, at: number): boolean {
  for (let i = at; i < at + NAMESPACE_SIZE; i++) if (nodes[i] !== 255) return false
  return true
}

/** From the leaf nodes up to the root; the number of leaves is a power of two. */
export function buildLevels(leafNodes: Uint8Array): Uint8Array[] {
  const levels = [leafNodes]
  for (let level = leafNodes; level.length > NODE_SIZE; levels.push(level)) {
    const parents = new Uint8Array(level.length / 2)
    for (let at = 0; at < parents.length; at += NODE_SIZE)
      writeParentNode(parents, at, level.subarray(2 * at, 2 * at + 2 * NODE_SIZE))
    level = parents
  }
  return levels
}

/** The root alone: `nodes` holds the leaf nodes before and the scraps of all levels after, so that nothing is allocated per level. */
export function foldToNmtRoot(nodes: Uint8Array): Uint8Array {
  for (let length = nodes.length; length > NODE_SIZE; length /= 2)
    for (let at = 0; at < length / 2; at += NODE_SIZE) writeParentNode(nodes, at, nodes.subarray(2 * at, 2 * at + 2 * NODE_SIZE))
  return nodes.slice(0, NODE_SIZE)
}

export function proveRange(levels: readonly Uint8Array[], start: number, end: number): RangeProof {
  const nodes: Uint8Array[] = []
  const visit = (height: number, index: number): void => {
    const first = index * 2 ** height
    const behind = first + 2 ** height
    if (behind <= start || first >= end) {
      nodes.push(levels[height]!.slice(index * NODE_SIZE, (index + 1) * NODE_SIZE))
    } else if (height > 0) {
      visit(height - 1, 2 * index)
      visit(height - 1, 2 * index + 1)
    }
  }
  visit(levels.length - 1, 0)
  return { start, end, nodes }
}

/** `leafNodes` are those of the range only, `total` is the number of leaves of the whole tree. */
export function verifyRange(root: Uint8Array, total: number, proof: RangeProof, leafNodes: Uint8Array): boolean {
  const { start, end, nodes } = proof
  if (!(start >= 0 && start < end && end <= total)) return false
  if (leafNodes.length !== (end - start) * NODE_SIZE || nodes.some((node) => node.length !== NODE_SIZE)) return false
  let used = 0
  const fold = (first: number, width: number): Uint8Array | undefined => {
    if (first + width <= start || first >= end) return nodes[used++]
    if (width === 1) return leafNodes.subarray((first - start) * NODE_SIZE, (first - start + 1) * NODE_SIZE)
    const left = fold(first, width / 2)
    const right = fold(first + width / 2, width / 2)
    if (left === undefined || right === undefined) return undefined
    const parent = new Uint8Array(NODE_SIZE)
    writeParentNode(parent, 0, Buffer.concat([left, right]))
    return parent
  }
  const computed = fold(0, total)
  return computed !== undefined && used === nodes.length && equalBytes(computed, root)
}
