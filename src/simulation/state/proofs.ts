import { type Bytes, bytesField, concat, integerField, messageField, varint } from '../../client/proof/encoding.ts'
import { HashOp } from '../../client/proof/hashing.ts'
import { findLeaf, findNeighbours, findPath, HASH_LENGTH, headOf, type LeafNode, sha256, type TreeNode } from './iavl.ts'

/** Fields of cosmos.ics23.v1.CommitmentProof. */
const EXIST = 1
const NONEXIST = 2

/** Proof that a tree has a key, or that it does not, as a node encodes it. */
export function proveKey(root: TreeNode, key: Uint8Array): Uint8Array {
  const leaf = findLeaf(root, key)
  if (leaf) return messageField(EXIST, proveLeaf(root, leaf))
  const { left, right } = findNeighbours(root, key)
  const neighbours = [left && messageField(2, proveLeaf(root, left)), right && messageField(3, proveLeaf(root, right))]
  return messageField(NONEXIST, concat(bytesField(1, key), ...neighbours.filter((side) => side !== undefined)))
}

function proveLeaf(root: TreeNode, leaf: LeafNode): Bytes {
  const path = findPath(root, leaf.key).map(({ node, isRight }) =>
    isRight
      ? innerOp(concat(headOf(node), HASH_LENGTH, node.left.hash, HASH_LENGTH), new Uint8Array())
      : innerOp(concat(headOf(node), HASH_LENGTH), concat(HASH_LENGTH, node.right.hash)),
  )
  return existence(leaf.key, leaf.value, headOf(leaf), path)
}

/** Stores by name, in the order of their names, and the root of each. */
export type StoreRoots = readonly (readonly [name: string, root: Uint8Array])[]

const LEAF_MARK = Uint8Array.of(0)
const INNER_MARK = Uint8Array.of(1)

/** The root over all stores, which headers have as `app_hash`. */
export function hashStores(stores: StoreRoots): Uint8Array<ArrayBuffer> {
  if (stores.length > 1) {
    const split = splitOf(stores.length)
    return sha256(concat(INNER_MARK, hashStores(stores.slice(0, split)), hashStores(stores.slice(split))))
  }
  const [name, root] = stores[0]!
  const key = Buffer.from(name)
  const value = sha256(root)
  return sha256(concat(LEAF_MARK, varint(key.length), key, varint(value.length), value))
}

export function proveStore(stores: StoreRoots, name: string): Uint8Array {
  const at = stores.findIndex(([other]) => other === name)
  return messageField(EXIST, existence(Buffer.from(name), stores[at]![1], LEAF_MARK, pathOf(stores, at)))
}

function pathOf(stores: StoreRoots, at: number): Bytes[] {
  if (stores.length === 1) return []
  const split = splitOf(stores.length)
  const [left, right] = [stores.slice(0, split), stores.slice(split)]
  return at < split
    ? [...pathOf(left, at), innerOp(INNER_MARK, hashStores(right))]
    : [...pathOf(right, at - split), innerOp(concat(INNER_MARK, hashStores(left)), new Uint8Array())]
}

/** Left leaves of a tree: the largest power of two below its number of leaves. */
function splitOf(total: number): number {
  return 2 ** Math.ceil(Math.log2(total) - 1)
}

function existence(key: Uint8Array, value: Uint8Array, prefix: Uint8Array, path: readonly Bytes[]): Bytes {
  const leaf = concat(
    integerField(1, HashOp.sha256),
    integerField(3, HashOp.sha256),
    integerField(4, VAR_PROTO),
    bytesField(5, prefix),
  )
  return concat(bytesField(1, key), bytesField(2, value), messageField(3, leaf), ...path.map((op) => messageField(4, op)))
}

/** Lengths stand before what they count, as varints. */
const VAR_PROTO = 1

function innerOp(prefix: Uint8Array, suffix: Uint8Array): Bytes {
  return concat(integerField(1, HashOp.sha256), bytesField(2, prefix), bytesField(3, suffix))
}
