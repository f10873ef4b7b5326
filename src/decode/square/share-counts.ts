import { NAMESPACE_SIZE } from './namespaces.ts'

export const SHARE_SIZE = 512
export const INFO_SIZE = 1
export const SEQUENCE_LENGTH_SIZE = 4
export const SIGNER_SIZE = 20
/** Compact shares carry the offset of the first unit that starts in them. */
export const RESERVED_SIZE = 4

const SPARSE_NEXT = SHARE_SIZE - NAMESPACE_SIZE - INFO_SIZE
const SPARSE_FIRST = SPARSE_NEXT - SEQUENCE_LENGTH_SIZE
const SPARSE_FIRST_SIGNED = SPARSE_FIRST - SIGNER_SIZE
const COMPACT_NEXT = SPARSE_NEXT - RESERVED_SIZE
const COMPACT_FIRST = SPARSE_FIRST - RESERVED_SIZE

/** Threshold of every app version; commitments and alignment both depend on it. */
const SUBTREE_ROOT_THRESHOLD = 64

/** Share version 1 (authored blobs) and 2 (fibre system blobs) put the signer into the first share. */
export function hasSigner(shareVersion: number): boolean {
  return shareVersion !== 0
}

export function countBlobShares(sizeBytes: number, shareVersion: number): number {
  return countShares(sizeBytes, blobRoomOfFirst(shareVersion), SPARSE_NEXT)
}

/** Bytes of a blob in the shares before one of its own. */
export function blobBytesBefore(share: number, shareVersion: number): number {
  return bytesBefore(share, blobRoomOfFirst(shareVersion), SPARSE_NEXT)
}

function blobRoomOfFirst(shareVersion: number): number {
  return hasSigner(shareVersion) ? SPARSE_FIRST_SIGNED : SPARSE_FIRST
}

/** `sizeBytes` counts the length prefixes of the units; an empty sequence has no share at all. */
export function countCompactShares(sizeBytes: number): number {
  return sizeBytes === 0 ? 0 : countShares(sizeBytes, COMPACT_FIRST, COMPACT_NEXT)
}

/** Bytes of a compact sequence in the shares before one of its own. */
export function compactBytesBefore(share: number): number {
  return bytesBefore(share, COMPACT_FIRST, COMPACT_NEXT)
}

/** Which share of its sequence holds a byte of it. */
export function compactShareOf(byte: number): number {
  return countCompactShares(byte + 1) - 1
}

function countShares(sizeBytes: number, first: number, next: number): number {
  return sizeBytes <= first ? 1 : 1 + Math.ceil((sizeBytes - first) / next)
}

function bytesBefore(share: number, first: number, next: number): number {
  return share <= 0 ? 0 : first + (share - 1) * next
}

/** A blob starts at a multiple of this, and its commitment is made of subtrees at most this wide. */
export function getSubtreeWidth(shares: number): number {
  return Math.min(roundUpToPowerOfTwo(Math.ceil(shares / SUBTREE_ROOT_THRESHOLD)), getSquareSize(shares))
}

/** Side of the smallest square of power-of-two side that holds `shares`. */
export function getSquareSize(shares: number): number {
  return roundUpToPowerOfTwo(Math.ceil(Math.sqrt(shares)))
}

function roundUpToPowerOfTwo(value: number): number {
  return value <= 1 ? 1 : 2 ** (32 - Math.clz32(value - 1))
}

/** Bytes of `value` as a protobuf varint. */
export function measureVarint(value: number): number {
  let size = 1
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++
  return size
}
