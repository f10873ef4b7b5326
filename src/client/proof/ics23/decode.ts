import { type Bytes, readVarint } from '../encoding.ts'
import { demand, ProofError } from '../failure.ts'
import type { ExistenceProof, InnerOp, LeafOp, NonExistenceProof } from './ops.ts'

export type CommitmentProof = { exist: ExistenceProof } | { nonexist: NonExistenceProof }

/** cosmos.ics23.v1.CommitmentProof. Stricter than protobuf: a field that is unknown, repeated or out of order is refused. */
export function decodeCommitmentProof(bytes: Uint8Array): CommitmentProof {
  const fields = readFields(bytes, { 1: 'bytes', 2: 'bytes' })
  demand(fields.length === 1, 'a proof proves one thing')
  const { field, body } = fields[0]!
  return field === 1 ? { exist: decodeExistence(body) } : { nonexist: decodeNonExistence(body) }
}

function decodeExistence(bytes: Uint8Array): ExistenceProof {
  const proof: ExistenceProof = { key: NOTHING, value: NOTHING, path: [] }
  for (const { field, body } of readFields(bytes, { 1: 'bytes', 2: 'bytes', 3: 'bytes', 4: 'bytes' }, 4)) {
    if (field === 1) proof.key = body
    else if (field === 2) proof.value = body
    else if (field === 3) proof.leaf = decodeLeaf(body)
    else proof.path.push(decodeInner(body))
  }
  return proof
}

function decodeNonExistence(bytes: Uint8Array): NonExistenceProof {
  const proof: NonExistenceProof = { key: NOTHING }
  for (const { field, body } of readFields(bytes, { 1: 'bytes', 2: 'bytes', 3: 'bytes' })) {
    if (field === 1) proof.key = body
    else if (field === 2) proof.left = decodeExistence(body)
    else proof.right = decodeExistence(body)
  }
  return proof
}

function decodeLeaf(bytes: Uint8Array): LeafOp {
  const op: LeafOp = { hash: 0, prehashKey: 0, prehashValue: 0, length: 0, prefix: NOTHING }
  const kinds = { 1: 'number', 2: 'number', 3: 'number', 4: 'number', 5: 'bytes' } as const
  for (const { field, value, body } of readFields(bytes, kinds)) {
    if (field === 1) op.hash = value
    else if (field === 2) op.prehashKey = value
    else if (field === 3) op.prehashValue = value
    else if (field === 4) op.length = value
    else op.prefix = body
  }
  return op
}

function decodeInner(bytes: Uint8Array): InnerOp {
  const op: InnerOp = { hash: 0, prefix: NOTHING, suffix: NOTHING }
  for (const { field, value, body } of readFields(bytes, { 1: 'number', 2: 'bytes', 3: 'bytes' })) {
    if (field === 1) op.hash = value
    else if (field === 2) op.prefix = body
    else op.suffix = body
  }
  return op
}

const NOTHING = new Uint8Array()
const WIRE_TYPES = { number: 0, bytes: 2 } as const

type Field = { field: number; value: number; body: Bytes }

/** The fields of a message in ascending order, each at most once but for `repeated`. */
function readFields(bytes: Uint8Array, kinds: Record<number, keyof typeof WIRE_TYPES>, repeated?: number): Field[] {
  const fields: Field[] = []
  let last = 0
  for (let at = 0; at < bytes.length; ) {
    const tag = next(bytes, at)
    const field = tag.value >> 3
    const kind = kinds[field]
    demand(kind && (tag.value & 7) === WIRE_TYPES[kind], `a message has an unknown field ${field}`)
    demand(field > last || (field === last && field === repeated), `field ${field} of a message is repeated or out of order`)
    last = field
    const number = next(bytes, tag.end)
    at = kind === 'number' ? number.end : number.end + number.value
    demand(at <= bytes.length, 'a message ends too early')
    fields.push({
      field,
      value: number.value,
      body: kind === 'number' ? NOTHING : new Uint8Array(bytes.subarray(number.end, at)),
    })
  }
  return fields
}

function next(bytes: Uint8Array, at: number): { value: number; end: number } {
  const number = readVarint(bytes, at)
  if (!number) throw new ProofError('a message ends within a number')
  return number
}
