import { type Bytes, concat, equal } from './encoding.ts'

const NAMESPACE_SIZE = 29
const NODE_SIZE = 2 * NAMESPACE_SIZE + 32
const PARITY = new Uint8Array(NAMESPACE_SIZE).fill(255)

export async function sha256(...parts: Uint8Array[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', concat(...parts)))
}

const LEAF = Uint8Array.of(0)
const INNER = Uint8Array.of(1)

/** Root of the tree of RFC 6962. */
export async function merkleRoot(leaves: readonly Uint8Array[]): Promise<Bytes> {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return sha256(LEAF, leaves[0]!)
  const split = splitOf(leaves.length)
  return sha256(INNER, await merkleRoot(leaves.slice(0, split)), await merkleRoot(leaves.slice(split)))
}

/** Left leaves of a tree: the largest power of two below its number of leaves. */
function splitOf(total: number): number {
  return 2 ** Math.ceil(Math.log2(total) - 1)
}

/** The root that a leaf leads to by the hashes beside its way, lowest first; undefined when their number does not fit. */
export async function climb(
  leaf: Uint8Array,
  index: number,
  total: number,
  aunts: readonly Uint8Array[],
): Promise<Bytes | undefined> {
  if (total === 1) return aunts.length === 0 ? sha256(LEAF, leaf) : undefined
  const aunt = aunts.at(-1)
  if (!aunt) return undefined
  const split = splitOf(total)
  const isLeft = index < split
  const child = await climb(leaf, isLeft ? index : index - split, isLeft ? split : total - split, aunts.slice(0, -1))
  return child && (isLeft ? sha256(INNER, child, aunt) : sha256(INNER, aunt, child))
}

/** A range of leaves in a namespaced tree of `total`, and the roots of the parts outside from left to right. */
export type Range = { start: number; end: number; nodes: readonly Uint8Array[] }

/** Whether `shares`, all of `namespace`, are the leaves of the range in the tree that has this root. */
export async function isInTree(
  root: Uint8Array,
  total: number,
  { start, end, nodes }: Range,
  namespace: Uint8Array,
  shares: readonly Uint8Array[],
): Promise<boolean> {
  if (!(start >= 0 && start < end && end <= total && shares.length === end - start)) return false
  if (nodes.some(({ length }) => length !== NODE_SIZE)) return false
  const rest = [...nodes]
  const fold = async (first: number, width: number): Promise<Uint8Array | undefined> => {
    if (first + width <= start || first >= end) return rest.shift()
    if (width === 1) return concat(namespace, namespace, await sha256(LEAF, namespace, shares[first - start]!))
    const left = await fold(first, width / 2)
    const right = await fold(first + width / 2, width / 2)
    return left && right && joinNodes(left, right)
  }
  const computed = await fold(0, total)
  return computed !== undefined && rest.length === 0 && equal(computed, root)
}

/** A node is min namespace, max namespace, hash. */
async function joinNodes(left: Uint8Array, right: Uint8Array): Promise<Bytes> {
  const minOf = (node: Uint8Array) => node.subarray(0, NAMESPACE_SIZE)
  const maxOf = (node: Uint8Array) => node.subarray(NAMESPACE_SIZE, 2 * NAMESPACE_SIZE)
  // Parity says nothing about the data: it does not move the maximum of a node that has data on its left.
  const maximum = equal(minOf(right), PARITY) && !equal(minOf(left), PARITY) ? maxOf(left) : maxOf(right)
  return concat(minOf(left), maximum, await sha256(INNER, left, right))
}
