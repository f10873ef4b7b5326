import { toBase64 } from '../../lib/encoding/bytes.ts'
import { Invariant } from '../../lib/errors.ts'
import type { SquareLayout } from './layout.ts'
import {
  compareNamespaces,
  NAMESPACE_SIZE,
  PARITY_NAMESPACE,
  PAY_FOR_BLOB_NAMESPACE,
  PAY_FOR_FIBRE_NAMESPACE,
  PRIMARY_PADDING_NAMESPACE,
  TAIL_PADDING_NAMESPACE,
  TX_NAMESPACE,
} from './namespaces.ts'

/** Consecutive shares of one namespace, in row-major order of the original square. */
export type OdsRun = { shares: number; namespace: Uint8Array }

export type OdsType =
  | 'tx'
  | 'pay_for_blob'
  | 'pay_for_fibre'
  | 'primary_reserved_padding'
  | 'tail_padding'
  | 'parity_shares'
  | 'namespace'

/** The answer of `/v1/block/{height}/ods`: `from` and `to` are [row, column], both inclusive. */
export type Ods = {
  width: number
  items: { from: [number, number]; to: [number, number]; namespace: string; type: OdsType }[]
}

export function odsRuns(layout: SquareLayout): OdsRun[] {
  const runs: OdsRun[] = []
  let cursor = 0
  const extendTo = (end: number, namespace: Uint8Array): void => {
    if (end === cursor) return
    const last = runs.at(-1)
    if (last !== undefined && compareNamespaces(last.namespace, namespace) === 0) last.shares += end - cursor
    else runs.push({ shares: end - cursor, namespace })
    cursor = end
  }
  extendTo(layout.txShares, TX_NAMESPACE)
  extendTo(cursor + layout.pfbShares, PAY_FOR_BLOB_NAMESPACE)
  extendTo(cursor + layout.fibreShares, PAY_FOR_FIBRE_NAMESPACE)
  let padding = PRIMARY_PADDING_NAMESPACE
  for (const blob of layout.blobs) {
    extendTo(blob.start, padding)
    extendTo(blob.start + blob.shares, blob.namespace)
    // The gap behind a blob carries that blob's namespace, so it joins its run.
    padding = blob.namespace
  }
  extendTo(layout.size ** 2, TAIL_PADDING_NAMESPACE)
  return runs
}

export function toOds(width: number, runs: readonly OdsRun[]): Ods {
  let start = 0
  const items = runs.map(({ shares, namespace }) => {
    const from = toRowColumn(start, width)
    start += shares
    const to = toRowColumn(start - 1, width)
    return { from, to, namespace: toBase64(namespace), type: getOdsType(namespace) }
  })
  return { width, items }
}

function toRowColumn(index: number, width: number): [number, number] {
  return [Math.floor(index / width), index % width]
}

const FIXED_TYPES: readonly (readonly [Uint8Array, OdsType])[] = [
  [TX_NAMESPACE, 'tx'],
  [PAY_FOR_BLOB_NAMESPACE, 'pay_for_blob'],
  [PAY_FOR_FIBRE_NAMESPACE, 'pay_for_fibre'],
  [PRIMARY_PADDING_NAMESPACE, 'primary_reserved_padding'],
  [TAIL_PADDING_NAMESPACE, 'tail_padding'],
  [PARITY_NAMESPACE, 'parity_shares'],
]

function getOdsType(namespace: Uint8Array): OdsType {
  return FIXED_TYPES.find(([fixed]) => compareNamespaces(fixed, namespace) === 0)?.[1] ?? 'namespace'
}

/** Stands for the tail padding namespace, which nearly every block has and which has no zeros to leave out. */
const TAIL_CODE = NAMESPACE_SIZE + 1

/** A varint of five bytes, the number of namespace bytes, and all of them. */
const LONGEST_RECORD = 5 + 1 + NAMESPACE_SIZE

/**
 * Stored form, one record per run: share count as a varint, number of namespace bytes kept, those bytes (leading zeros left out).
 * A usual run takes 3 to 12 bytes: 66 bytes a block on the devnet recording.
 */
export function packOds(runs: readonly OdsRun[]): Uint8Array {
  const bytes = new Uint8Array(runs.length * LONGEST_RECORD)
  let end = 0
  for (const { shares, namespace } of runs) {
    let rest = shares
    for (; rest >= 128; rest >>>= 7) bytes[end++] = (rest & 127) | 128
    bytes[end++] = rest
    if (compareNamespaces(namespace, TAIL_PADDING_NAMESPACE) === 0) {
      bytes[end++] = TAIL_CODE
      continue
    }
    let firstUsed = 0
    while (firstUsed < NAMESPACE_SIZE && namespace[firstUsed] === 0) firstUsed++
    bytes[end++] = NAMESPACE_SIZE - firstUsed
    while (firstUsed < NAMESPACE_SIZE) bytes[end++] = namespace[firstUsed++]!
  }
  return bytes.slice(0, end)
}

export function unpackOds(bytes: Uint8Array): OdsRun[] {
  const runs: OdsRun[] = []
  let at = 0
  const take = (): number => {
    const byte = bytes[at++]
    if (byte === undefined)
      throw new Invariant('ods_corrupt', 'a stored square map ends inside a run', { sizeBytes: bytes.length })
    return byte
  }
  while (at < bytes.length) {
    let shares = 0
    for (let shift = 0; ; shift += 7) {
      const byte = take()
      shares |= (byte & 127) << shift
      if (byte < 128) break
    }
    const kept = take()
    if (kept === TAIL_CODE) {
      runs.push({ shares, namespace: TAIL_PADDING_NAMESPACE })
      continue
    }
    const namespace = new Uint8Array(NAMESPACE_SIZE)
    for (let i = NAMESPACE_SIZE - kept; i < NAMESPACE_SIZE; i++) namespace[i] = take()
    runs.push({ shares, namespace })
  }
  return runs
}
