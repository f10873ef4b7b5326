import { listSequences, openSquare, type SquareTx, type SquareWriter } from './build-square.ts'
import type { SealedSquare } from './data-hash.ts'
import { layoutSquare, type SquareLayout } from './layout.ts'
import type { RangeProof } from './nmt.ts'
import { proveRow, proveShareRange } from './proof.ts'
import { compactShareOf, measureVarint, SHARE_SIZE } from './share-counts.ts'
import { openWindow } from './shares.ts'
import { rowRootOf } from './square-trees.ts'
import { toSquareTx } from './square-tx.ts'

/** A tx by its position in the block, or one of its blobs. */
export type Subject = { tx: number; blob?: number | undefined }

/** Shows that shares are in the square whose root is the data hash of a header. */
export type InclusionProof = {
  /** side of the original square */
  size: number
  namespace: Uint8Array
  /** flat indexes of the first share and of the one behind the last */
  start: number
  end: number
  /** writes the shares */
  square: SquareWriter
  /** one for every row that the shares touch: the range in its tree, and the way of its root up to the data hash */
  rows: { row: number; root: Uint8Array; range: RangeProof; aunts: Uint8Array[] }[]
  hashedShares: number
}

/** A sealed square and the txs of its block; `areSealed`: it was computed from these very txs. */
export type ProvenBlock = { sealed: SealedSquare; rawTxs: readonly Uint8Array[]; areSealed?: boolean }

/** Undefined when the block has no such tx or blob, or when these are not the txs of the square. */
export function proveInclusion(block: ProvenBlock, subject: Subject): InclusionProof | undefined {
  const proven = proveRows(block, subject)
  if (!proven) return undefined
  const { square, place, ranges, hashedShares } = proven
  const first = Math.floor(place.start / square.size)
  const rows = ranges.map((range, i) => {
    const row = first + i
    return { row, root: rowRootOf(block.sealed, row), range, aunts: proveRow(block.sealed, row).aunts }
  })
  return { size: square.size, ...place, square, rows, hashedShares }
}

export function listShares({ square, start, end }: Pick<InclusionProof, 'square' | 'start' | 'end'>): Uint8Array[] {
  const window = openWindow(start, end)
  square.write(window)
  return Array.from({ length: end - start }, (_, i) => window.bytes.subarray(i * SHARE_SIZE, (i + 1) * SHARE_SIZE))
}

/** The ranges of an inclusion proof alone, as nodes give them. */
export function proveRanges(block: ProvenBlock, subject: Subject): { ranges: RangeProof[]; hashedShares: number } | undefined {
  const proven = proveRows(block, subject)
  return proven && { ranges: proven.ranges, hashedShares: proven.hashedShares }
}

function proveRows({ sealed, rawTxs, areSealed = false }: ProvenBlock, subject: Subject) {
  const txs = rawTxs.map((tx) => toSquareTx(tx, sealed.versionApp))
  const block = { txs, layout: layoutSquare(txs) }
  const place = subject.blob === undefined ? locateTx(block, subject.tx) : locateBlob(block, subject.tx, subject.blob)
  if (!place || block.layout.size !== sealed.size) return undefined
  const { size } = sealed
  const square = openSquare(txs, block.layout)
  const readRow = (row: number) => {
    const window = openWindow(row * size, (row + 1) * size)
    square.write(window)
    return window.bytes
  }
  const proven = proveShareRange(readRow, sealed, { ...place, areSealed })
  return proven && { square, place, ...proven }
}

type LaidOut = { txs: SquareTx[]; layout: SquareLayout }

type ShareRange = { namespace: Uint8Array; start: number; end: number }

function locateBlob({ layout }: LaidOut, tx: number, index: number): ShareRange | undefined {
  const placed = layout.blobs.find((blob) => blob.tx === tx && blob.index === index)
  return placed && { namespace: placed.namespace, start: placed.start, end: placed.start + placed.shares }
}

/** The shares of the compact sequence in which the tx stands; others may share the first and the last of them. */
function locateTx({ txs, layout }: LaidOut, position: number): ShareRange | undefined {
  const kind = txs[position]?.kind
  let firstShare = 0
  for (const sequence of listSequences(txs, layout)) {
    const ends: number[] = []
    for (const { length } of sequence.units) ends.push((ends.at(-1) ?? 0) + measureVarint(length) + length)
    if (sequence.kind === kind) {
      const unit = txs.slice(0, position).filter((tx) => tx.kind === kind).length
      const [start, end] = [ends[unit - 1] ?? 0, ends[unit]!]
      return {
        namespace: sequence.namespace,
        start: firstShare + compactShareOf(start),
        end: firstShare + compactShareOf(end - 1) + 1,
      }
    }
    firstShare += ends.length === 0 ? 0 : compactShareOf(ends.at(-1)! - 1) + 1
  }
  return undefined
}
