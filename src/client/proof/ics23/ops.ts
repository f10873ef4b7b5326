import { type Bytes, concat, varint } from '../encoding.ts'
import { demand, ProofError } from '../failure.ts'
import { type Hashing, HashOp } from '../hashing.ts'

/** How a key and its value become the hash of a leaf. */
export type LeafOp = { hash: number; prehashKey: number; prehashValue: number; length: number; prefix: Bytes }

/** How the hash of a node becomes that of its parent: what stands before and behind it there. */
export type InnerOp = { hash: number; prefix: Bytes; suffix: Bytes }

export type ExistenceProof = { key: Bytes; value: Bytes; leaf?: LeafOp; path: InnerOp[] }

/** Neighbours of a key that is not there; at the end of the tree there is only one. */
export type NonExistenceProof = { key: Bytes; left?: ExistenceProof; right?: ExistenceProof }

export function* applyLeaf(op: LeafOp, key: Bytes, value: Bytes): Hashing<Bytes> {
  demand(key.length > 0 && value.length > 0, 'a leaf has no key or no value')
  const preparedKey = addLength(op.length, op.prehashKey === HashOp.none ? key : yield* hash(op.prehashKey, key))
  const preparedValue = addLength(op.length, op.prehashValue === HashOp.none ? value : yield* hash(op.prehashValue, value))
  return yield* hash(op.hash, concat(op.prefix, preparedKey, preparedValue))
}

export function* applyInner(op: InnerOp, child: Bytes): Hashing<Bytes> {
  demand(child.length > 0, 'an inner node has no child')
  return yield* hash(op.hash, concat(op.prefix, child, op.suffix))
}

/** The root that a leaf leads to. */
export function* computeRoot({ key, value, leaf, path }: ExistenceProof): Hashing<Bytes> {
  demand(leaf, 'the proof has no leaf')
  let node = yield* applyLeaf(leaf, key, value)
  for (const op of path) node = yield* applyInner(op, node)
  return node
}

function* hash(op: number, preimage: Bytes): Hashing<Bytes> {
  demand(op !== HashOp.none, 'a node is not hashed')
  return new Uint8Array(yield { op, preimage })
}

/** `LengthOp` of ICS 23. */
function addLength(op: number, data: Bytes): Bytes {
  switch (op) {
    case 0:
      return data
    case 1:
      return concat(varint(data.length), data)
    case 3:
    case 4:
      return concat(fixedLength(4, data.length, op === 4), data)
    case 5:
    case 6:
      return concat(fixedLength(8, data.length, op === 6), data)
    case 7:
    case 8:
      demand(data.length === (op === 7 ? 32 : 64), `the length is not ${op === 7 ? 32 : 64}`)
      return data
    default:
      throw new ProofError(`length operation ${op} is not known`)
  }
}

function fixedLength(size: number, length: number, isLittleEndian: boolean): Bytes {
  const bytes = new Uint8Array(size)
  new DataView(bytes.buffer).setUint32(isLittleEndian ? 0 : size - 4, length, isLittleEndian)
  return bytes
}
