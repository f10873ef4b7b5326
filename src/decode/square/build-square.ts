import { layoutSquare, listShareIndexes, type SquareLayout } from './layout.ts'
import {
  PAY_FOR_BLOB_NAMESPACE,
  PAY_FOR_FIBRE_NAMESPACE,
  PRIMARY_PADDING_NAMESPACE,
  TAIL_PADDING_NAMESPACE,
  TX_NAMESPACE,
} from './namespaces.ts'
import {
  joinUnits,
  openWindow,
  type ShareWindow,
  type SquareBlob,
  toVarint,
  writeBlob,
  writeCompact,
  writePadding,
} from './shares.ts'

/**
 * A tx of the block, already taken apart. `inner` is the SDK tx (of a BlobTx: without the envelope).
 * A `fibre` tx has exactly one blob, of share version 2; a `plain` one has none.
 */
export type SquareTx = { kind: 'plain' | 'blob' | 'fibre'; inner: Uint8Array; blobs: SquareBlob[] }

/** `size` x `size` shares in row-major order. */
export type Square = { size: number; bytes: Uint8Array }

/** Writes shares of the square that these txs make, any part of it at a time. */
export type SquareWriter = { size: number; write: (window: ShareWindow) => void }

export function openSquare(txs: readonly SquareTx[], layout: SquareLayout = layoutSquare(txs)): SquareWriter {
  const { size } = layout
  const sequences = listSequences(txs, layout).map(({ units, ...sequence }) => ({ ...sequence, ...joinUnits(units) }))
  return {
    size,
    write(window) {
      let cursor = 0
      for (const { namespace, shares, ...sequence } of sequences) {
        writeCompact(window, cursor, namespace, sequence)
        cursor += shares
      }
      let padding = { namespace: PRIMARY_PADDING_NAMESPACE, shareVersion: 0 }
      for (const placed of layout.blobs) {
        const blob = txs[placed.tx]!.blobs[placed.index]!
        writePadding(window, cursor, placed.start, padding.namespace, padding.shareVersion)
        writeBlob(window, placed.start, blob)
        cursor = placed.start + placed.shares
        padding = blob
      }
      writePadding(window, cursor, size ** 2, TAIL_PADDING_NAMESPACE, 0)
    },
  }
}

export function buildSquare(txs: readonly SquareTx[], layout: SquareLayout = layoutSquare(txs)): Square {
  const { size, write } = openSquare(txs, layout)
  const window = openWindow(0, size ** 2)
  write(window)
  return { size, bytes: window.bytes }
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
