import { layoutSquare, listShareIndexes, type SquareLayout } from './layout.ts'
import {
  PAY_FOR_BLOB_NAMESPACE,
  PAY_FOR_FIBRE_NAMESPACE,
  PRIMARY_PADDING_NAMESPACE,
  TAIL_PADDING_NAMESPACE,
  TX_NAMESPACE,
} from './namespaces.ts'
import { SHARE_SIZE } from './share-counts.ts'
import { type SquareBlob, toVarint, writeBlob, writeCompact, writePadding } from './shares.ts'

/**
 * A tx of the block, already taken apart. `inner` is the SDK tx (of a BlobTx: without the envelope).
 * A `fibre` tx has exactly one blob, of share version 2; a `plain` one has none.
 */
export type SquareTx = { kind: 'plain' | 'blob' | 'fibre'; inner: Uint8Array; blobs: SquareBlob[] }

/** `size` x `size` shares in row-major order. */
export type Square = { size: number; bytes: Uint8Array }

/** Only sequences and blobs that touch `rows` are written, all of them by default: memory that nobody writes to costs nothing. */
export function buildSquare(
  txs: readonly SquareTx[],
  layout: SquareLayout = layoutSquare(txs),
  rows: { from: number; to: number } = { from: 0, to: layout.size },
): Square {
  const { size } = layout
  const bytes = new Uint8Array(size ** 2 * SHARE_SIZE)
  const [first, end] = [rows.from * size, rows.to * size]
  const touches = (start: number, shares: number) => start < end && start + shares > first
  const pad = (from: number, to: number, namespace: Uint8Array, shareVersion: number) =>
    writePadding(bytes, Math.max(from, first), Math.min(to, end), namespace, shareVersion)

  let cursor = 0
  for (const { namespace, units, shares } of listSequences(txs, layout)) {
    if (touches(cursor, shares)) writeCompact(bytes, cursor, namespace, units)
    cursor += shares
  }
  let padding = { namespace: PRIMARY_PADDING_NAMESPACE, shareVersion: 0 }
  for (const placed of layout.blobs) {
    const blob = txs[placed.tx]!.blobs[placed.index]!
    pad(cursor, placed.start, padding.namespace, padding.shareVersion)
    if (touches(placed.start, placed.shares)) writeBlob(bytes, placed.start, blob)
    cursor = placed.start + placed.shares
    padding = blob
  }
  pad(cursor, size ** 2, TAIL_PADDING_NAMESPACE, 0)
  return { size, bytes }
}

/** The compact sequences in the order of the square: what they hold of the txs of a kind, in the order of the block. */
export function listSequences(
  txs: readonly SquareTx[],
  layout: SquareLayout,
): { kind: SquareTx['kind']; namespace: Uint8Array; units: Uint8Array[]; shares: number }[] {
  const indexes = listShareIndexes(txs, layout)
  const wrappers = txs.flatMap((tx, position) => (tx.kind === 'blob' ? [wrapWithIndexes(tx.inner, indexes[position]!)] : []))
  return [
    { kind: 'plain', namespace: TX_NAMESPACE, units: listInner(txs, 'plain'), shares: layout.txShares },
    { kind: 'blob', namespace: PAY_FOR_BLOB_NAMESPACE, units: wrappers, shares: layout.pfbShares },
    { kind: 'fibre', namespace: PAY_FOR_FIBRE_NAMESPACE, units: listInner(txs, 'fibre'), shares: layout.fibreShares },
  ]
}

function listInner(txs: readonly SquareTx[], kind: SquareTx['kind']): Uint8Array[] {
  return txs.filter((tx) => tx.kind === kind).map((tx) => tx.inner)
}

/** IndexWrapper {1 tx, 2 share_indexes packed, 3 "INDX"}: a PFB in the square tells where its blobs are. */
function wrapWithIndexes(inner: Uint8Array, indexes: readonly number[]): Uint8Array {
  const packed = Buffer.concat(indexes.map(toVarint))
  return Buffer.concat([
    Uint8Array.of(0x0a),
    toVarint(inner.length),
    inner,
    Uint8Array.of(0x12),
    toVarint(packed.length),
    packed,
    Uint8Array.of(0x1a, 4),
    Buffer.from('INDX'),
  ])
}
