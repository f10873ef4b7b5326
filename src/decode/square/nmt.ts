import { equalBytes } from '../../lib/encoding/bytes.ts'
import { SHARE_SIZE } from './share-counts.ts'
import { kernel, kernelBytes, reserve } from './simd/kernel.ts'
import { NODE_SIZE } from './simd/nmt-code.ts'

/**
 * Namespaced Merkle trees. A node is min namespace, max namespace, hash: 90 bytes. Every tree of the chain has a power of two of
 * leaves, so a level is one flat array of nodes and the next level is made of its pairs.
 */
export { NODE_SIZE }

/** Shows that leaves `start`..`end` (exclusive) are in a tree; `nodes` are the roots of the parts outside, from left to right. */
export type RangeProof = { start: number; end: number; nodes: Uint8Array[] }

/** Shares that go into the memory of the kernel at once. */
const CHUNK = 256

/** The leaf nodes of `shares`, side by side, all of `namespace`. */
export function writeLeafNodes(target: Uint8Array, at: number, namespace: Uint8Array, shares: Uint8Array): void {
  const chunkBytes = Math.min(shares.length, CHUNK * SHARE_SIZE)
  const {
    bytes,
    at: [sharesAt, namespaceAt, nodesAt],
  } = reserve(chunkBytes, namespace.length, (chunkBytes / SHARE_SIZE) * NODE_SIZE)
  bytes.set(namespace, namespaceAt)
  for (let from = 0; from < shares.length; from += chunkBytes) {
    const chunk = shares.subarray(from, from + chunkBytes)
    const count = chunk.length / SHARE_SIZE
    bytes.set(chunk, sharesAt)
    kernel().hashLeaves(sharesAt, namespaceAt, 0, nodesAt, count)
    target.set(bytes.subarray(nodesAt, nodesAt + count * NODE_SIZE), at + (from / SHARE_SIZE) * NODE_SIZE)
  }
}

/** From the leaf nodes up to the root; the number of leaves is a power of two. */
export function buildLevels(leafNodes: Uint8Array): Uint8Array[] {
  const levels = [leafNodes]
  const {
    bytes,
    at: [start],
  } = reserve(leafNodes.length)
  bytes.set(leafNodes, start)
  for (let pairs = leafNodes.length / NODE_SIZE / 2; pairs >= 1; pairs /= 2) {
    foldKernelNodes(start, start, pairs)
    levels.push(bytes.slice(start, start + pairs * NODE_SIZE))
  }
  return levels
}

export function foldToNmtRoot(leafNodes: Uint8Array): Uint8Array {
  const {
    bytes,
    at: [start],
  } = reserve(leafNodes.length)
  bytes.set(leafNodes, start)
  return foldKernelTree(start, start, leafNodes.length / NODE_SIZE)
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
    return foldToNmtRoot(Buffer.concat([left, right]))
  }
  const computed = fold(0, total)
  return computed !== undefined && used === nodes.length && equalBytes(computed, root)
}

/** Parents of `pairs` nodes side by side in the memory of the kernel; `target` may be where they start. */
export function foldKernelNodes(from: number, target: number, pairs: number): void {
  kernel().hashNodes(from, from + NODE_SIZE, 2 * NODE_SIZE, target, pairs)
}

/** The root over nodes in the memory of the kernel, `scraps` being room for half of them. */
export function foldKernelTree(from: number, scraps: number, leaves: number): Uint8Array {
  let level = from
  for (let pairs = leaves / 2; pairs >= 1; pairs /= 2) {
    foldKernelNodes(level, scraps, pairs)
    level = scraps
  }
  return kernelBytes().slice(level, level + NODE_SIZE)
}
