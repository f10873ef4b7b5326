import { NAMESPACE_SIZE } from './namespaces.ts'
import {
  blobBytesBefore,
  compactBytesBefore,
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

/** Room for the shares `from`..`to` (exclusive) of a square, each `stride` bytes behind the one before; zero where the writers below leave gaps. */
export type ShareWindow = { bytes: Uint8Array; from: number; to: number; stride: number }

export function openWindow(from: number, to: number, stride: number = SHARE_SIZE): ShareWindow {
  return { bytes: new Uint8Array((to - from) * stride), from, to, stride }
}

export function writeBlob(window: ShareWindow, firstShare: number, { namespace, data, shareVersion, signer }: SquareBlob): void {
  const [from, to] = overlap(window, firstShare, firstShare + countBlobShares(data.length, shareVersion))
  const startOf = (share: number) => blobBytesBefore(share - firstShare, shareVersion)
  // Shared memory is copied word by word: once for all shares, not once for each.
  const first = startOf(from)
  const content = data.buffer instanceof SharedArrayBuffer ? data.slice(first, startOf(to)) : data.subarray(first, startOf(to))
  for (let share = from, taken = 0; share < to; share++) {
    const isFirst = share === firstShare
    const base = placeOf(window, share)
    let at = writeHead(window.bytes, base, namespace, shareVersion, isFirst ? data.length : undefined)
    if (isFirst && hasSigner(shareVersion)) {
      if (signer !== undefined) window.bytes.set(signer.subarray(0, SIGNER_SIZE), at)
      at += SIGNER_SIZE
    }
    const room = base + SHARE_SIZE - at
    window.bytes.set(content.subarray(taken, taken + room), at)
    taken += room
  }
}

/** Txs one after another, each behind its length; `starts` are where the lengths stand. */
export type CompactSequence = { bytes: Uint8Array; starts: number[] }

export function writeCompact(
  window: ShareWindow,
  firstShare: number,
  namespace: Uint8Array,
  { bytes, starts }: CompactSequence,
): void {
  const [from, to] = overlap(window, firstShare, firstShare + countCompactShares(bytes.length))
  let unit = 0
  for (let share = from; share < to; share++) {
    const base = placeOf(window, share)
    const reservedAt = writeHead(window.bytes, base, namespace, 0, share === firstShare ? bytes.length : undefined)
    const at = reservedAt + RESERVED_SIZE
    const taken = compactBytesBefore(share - firstShare)
    const room = base + SHARE_SIZE - at
    while (unit < starts.length && starts[unit]! < taken) unit++
    const firstStart = starts[unit]
    if (firstStart !== undefined && firstStart < taken + room)
      writeUint32(window.bytes, reservedAt, at - base + firstStart - taken)
    window.bytes.set(bytes.subarray(taken, taken + room), at)
  }
}

/** A padding share is a sequence of length 0. */
export function writePadding(window: ShareWindow, start: number, end: number, namespace: Uint8Array, shareVersion: number): void {
  const [from, to] = overlap(window, start, end)
  for (let share = from; share < to; share++) writeHead(window.bytes, placeOf(window, share), namespace, shareVersion, 0)
}

/** Shares of both, an empty range where there are none. */
function overlap(window: ShareWindow, start: number, end: number): [from: number, to: number] {
  const from = Math.max(window.from, start)
  return [from, Math.max(from, Math.min(window.to, end))]
}

function placeOf({ from, stride }: ShareWindow, share: number): number {
  return (share - from) * stride
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

export function joinUnits(units: readonly Uint8Array[]): CompactSequence {
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
