import { NAMESPACE_SIZE } from './namespaces.ts'
import {
  countBlobShares,
  countCompactShares,
  hasSigner,
  INFO_SIZE,
  RESERVED_SIZE,
  SEQUENCE_LENGTH_SIZE,
  SHARE_SIZE,
  SIGNER_SIZE,
} from './share-counts.ts'

/** `signer` is the 20-byte account and needed for every share version but 0; `signerUncounted`: the chain forgot its room in the first share. */
export type SquareBlob = {
  namespace: Uint8Array
  data: Uint8Array
  shareVersion: number
  signer?: Uint8Array | undefined
  signerUncounted?: true | undefined
}

const CONTENT_START = NAMESPACE_SIZE + INFO_SIZE

/** The writers below count on `target` being zero where they leave gaps, and return the number of shares written. */
export function writeBlob(target: Uint8Array, firstShare: number, blob: SquareBlob): number {
  const { namespace, data, shareVersion, signer } = blob
  const shares = countBlobShares(data.length, shareVersion)
  let taken = 0
  for (let share = 0; share < shares; share++) {
    const base = (firstShare + share) * SHARE_SIZE
    let at = writeHead(target, base, namespace, shareVersion, share === 0 ? data.length : undefined)
    if (share === 0 && hasSigner(shareVersion)) {
      if (signer !== undefined) target.set(signer.subarray(0, SIGNER_SIZE), at)
      at += SIGNER_SIZE
    }
    const room = base + SHARE_SIZE - at
    target.set(data.subarray(taken, taken + room), at)
    taken += room
  }
  return shares
}

/** Txs one after another, each behind its length; `units` are the bytes of the txs. */
export function writeCompact(
  target: Uint8Array,
  firstShare: number,
  namespace: Uint8Array,
  units: readonly Uint8Array[],
): number {
  const sequence = joinUnits(units)
  const shares = countCompactShares(sequence.bytes.length)
  let taken = 0
  let unit = 0
  for (let share = 0; share < shares; share++) {
    const base = (firstShare + share) * SHARE_SIZE
    const reservedAt = writeHead(target, base, namespace, 0, share === 0 ? sequence.bytes.length : undefined)
    const at = reservedAt + RESERVED_SIZE
    const room = base + SHARE_SIZE - at
    while (unit < sequence.starts.length && sequence.starts[unit]! < taken) unit++
    const firstStart = sequence.starts[unit]
    if (firstStart !== undefined && firstStart < taken + room) writeUint32(target, reservedAt, at - base + firstStart - taken)
    target.set(sequence.bytes.subarray(taken, taken + room), at)
    taken += room
  }
  return shares
}

/** A padding share is a sequence of length 0. */
export function writePadding(target: Uint8Array, from: number, to: number, namespace: Uint8Array, shareVersion: number): void {
  for (let share = from; share < to; share++) writeHead(target, share * SHARE_SIZE, namespace, shareVersion, 0)
}

/** `sequenceLength` is given for the first share of a sequence only. Answers where the content goes. */
function writeHead(
  target: Uint8Array,
  base: number,
  namespace: Uint8Array,
  shareVersion: number,
  sequenceLength: number | undefined,
): number {
  target.set(namespace, base)
  target[base + NAMESPACE_SIZE] = (shareVersion << 1) | (sequenceLength === undefined ? 0 : 1)
  if (sequenceLength === undefined) return base + CONTENT_START
  writeUint32(target, base + CONTENT_START, sequenceLength)
  return base + CONTENT_START + SEQUENCE_LENGTH_SIZE
}

function writeUint32(target: Uint8Array, at: number, value: number): void {
  target[at] = value >>> 24
  target[at + 1] = value >>> 16
  target[at + 2] = value >>> 8
  target[at + 3] = value
}

function joinUnits(units: readonly Uint8Array[]): { bytes: Uint8Array; starts: number[] } {
  const starts: number[] = []
  const parts: Uint8Array[] = []
  let size = 0
  for (const unit of units) {
    starts.push(size)
    const prefix = toVarint(unit.length)
    parts.push(prefix, unit)
    size += prefix.length + unit.length
  }
  return { bytes: Buffer.concat(parts, size), starts }
}

export function toVarint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  bytes.push(rest)
  return Uint8Array.from(bytes)
}
