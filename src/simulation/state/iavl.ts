import { hash } from 'node:crypto'
import { compareBytes, concat, equal, varint } from '../../client/proof/encoding.ts'

/**
 * A tree whose nodes are hashed as those of an iavl tree, so that its proofs are what a node of the chain gives. The keys decide its
 * shape (each inner node parts them by one bit) and every node is of version 1: a root follows from the records alone, whatever came
 * before them. Nodes never change: trees of different heights share what they have in common.
 */
export type TreeNode = LeafNode | InnerNode

type Common = { height: number; size: number; hash: Uint8Array<ArrayBuffer> }
export type LeafNode = Common & { kind: 'leaf'; key: Uint8Array<ArrayBuffer>; value: Uint8Array<ArrayBuffer> }
export type InnerNode = Common & { kind: 'inner'; bit: number; left: TreeNode; right: TreeNode }

export type Entry = { key: Uint8Array<ArrayBuffer>; value: Uint8Array<ArrayBuffer> }

export function setKey(root: TreeNode | undefined, entry: Entry): TreeNode {
  const leaf = makeLeaf(entry)
  if (!root) return leaf
  const place = findDifference(root, entry.key)
  const put = (node: TreeNode): TreeNode => {
    if (node.kind === 'leaf' || (place !== undefined && node.bit > place)) {
      if (place === undefined) return leaf
      return bitOf(entry.key, place) ? makeInner(place, node, leaf) : makeInner(place, leaf, node)
    }
    return bitOf(entry.key, node.bit)
      ? makeInner(node.bit, node.left, put(node.right))
      : makeInner(node.bit, put(node.left), node.right)
  }
  return put(root)
}

export function removeKey(root: TreeNode | undefined, key: Uint8Array): TreeNode | undefined {
  if (!root || findDifference(root, key) !== undefined) return root
  const take = (node: TreeNode): TreeNode | undefined => {
    if (node.kind === 'leaf') return undefined
    const isRight = bitOf(key, node.bit)
    const rest = take(isRight ? node.right : node.left)
    if (!rest) return isRight ? node.left : node.right
    return isRight ? makeInner(node.bit, node.left, rest) : makeInner(node.bit, rest, node.right)
  }
  return take(root)
}

export function findLeaf(root: TreeNode | undefined, key: Uint8Array): LeafNode | undefined {
  const leaf = root && nearest(root, key)
  return leaf && equal(leaf.key, key) ? leaf : undefined
}

/** The leaves between which a key that is not there would stand. */
export function findNeighbours(root: TreeNode, key: Uint8Array): { left?: LeafNode; right?: LeafNode } {
  const place = findDifference(root, key)!
  let node = root
  let left: TreeNode | undefined
  let right: TreeNode | undefined
  while (node.kind === 'inner' && node.bit < place) {
    if (bitOf(key, node.bit)) [left, node] = [node.left, node.right]
    else [right, node] = [node.right, node.left]
  }
  if (bitOf(key, place)) left = node
  else right = node
  return { ...(left && { left: endOf(left, 'right') }), ...(right && { right: endOf(right, 'left') }) }
}

/** The way from a leaf up to the root: each inner node, and whether the way comes from its right. */
export function findPath(root: TreeNode, key: Uint8Array): { node: InnerNode; isRight: boolean }[] {
  const path: { node: InnerNode; isRight: boolean }[] = []
  for (let node = root; node.kind === 'inner'; ) {
    const isRight = bitOf(key, node.bit)
    path.unshift({ node, isRight })
    node = isRight ? node.right : node.left
  }
  return path
}

/** Height, size and version: what every node begins with. */
export function headOf({ height, size }: Omit<Common, 'hash'>): Uint8Array<ArrayBuffer> {
  return concat(zigzag(height), zigzag(size), VERSION)
}

const VERSION = zigzag(1)

function zigzag(value: number): Uint8Array<ArrayBuffer> {
  return varint(2 * value)
}

function makeLeaf({ key, value }: Entry): LeafNode {
  const node = { kind: 'leaf' as const, height: 0, size: 1, key, value }
  const valueHash = sha256(value)
  const bytes = concat(headOf(node), varint(key.length), key, varint(valueHash.length), valueHash)
  return { ...node, hash: sha256(bytes) }
}

function makeInner(bit: number, left: TreeNode, right: TreeNode): InnerNode {
  const height = 1 + Math.max(left.height, right.height)
  const node = { kind: 'inner' as const, bit, left, right, height, size: left.size + right.size }
  return { ...node, hash: sha256(concat(headOf(node), HASH_LENGTH, left.hash, HASH_LENGTH, right.hash)) }
}

export const HASH_LENGTH = varint(32)

export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', bytes, 'buffer'))
}

/** Nine bits for each byte: whether it is there, then its own. So a key comes before those that continue it. */
function bitOf(key: Uint8Array, bit: number): boolean {
  const byte = key[Math.floor(bit / 9)]
  if (byte === undefined) return false
  return bit % 9 === 0 || ((byte >> (8 - (bit % 9))) & 1) === 1
}

/** The first bit in which a key differs from the keys of the tree that share the most with it; undefined when it is one of them. */
function findDifference(root: TreeNode, key: Uint8Array): number | undefined {
  const { key: other } = nearest(root, key)
  if (compareBytes(other, key) === 0) return undefined
  let bit = 0
  while (bitOf(other, bit) === bitOf(key, bit)) bit++
  return bit
}

function nearest(root: TreeNode, key: Uint8Array): LeafNode {
  let node = root
  while (node.kind === 'inner') node = bitOf(key, node.bit) ? node.right : node.left
  return node
}

function endOf(root: TreeNode, side: 'left' | 'right'): LeafNode {
  let node = root
  while (node.kind === 'inner') node = node[side]
  return node
}
