import { buildSquare, listSequences } from './build-square.ts'
import type { SealedSquare } from './data-hash.ts'
import type { RangeProof } from './nmt.ts'
import { proveRow, proveShareRange } from './proof.ts'
import { compactShareOf, measureVarint, SHARE_SIZE } from './share-counts.ts'

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
  shares: Uint8Array[]
  /** one for every row that the shares touch: the range in its tree, and the way of its root up to the data hash */
  rows: { row: number; root: Uint8Array; range: RangeProof; aunts: Uint8Array[] }[]
}

/** Undefined when the block has no such tx or blob. */
export function proveInclusion(sealed: SealedSquare, subject: Subject): InclusionProof | undefined {
  const place = subject.blob === undefined ? locateTx(sealed, subject.tx) : locateBlob(sealed, subject.tx, subject.blob)
  if (!place) return undefined
  const { txs, layout, roots } = sealed
  const { start, end } = place
  const square = buildSquare(txs, layout)
  const first = Math.floor(start / square.size)
  const rows = proveShareRange(square, start, end).map((range, i) => {
    const row = first + i
    return { row, root: roots.rows[row]!, range, aunts: proveRow(roots, row).aunts }
  })
  const shares = Array.from({ length: end - start }, (_, i) =>
    square.bytes.slice((start + i) * SHARE_SIZE, (start + i + 1) * SHARE_SIZE),
  )
  return { size: square.size, ...place, shares, rows }
}

type Place = { namespace: Uint8Array; start: number; end: number }

function locateBlob({ layout }: SealedSquare, tx: number, index: number): Place | undefined {
  const placed = layout.blobs.find((blob) => blob.tx === tx && blob.index === index)
  return placed && { namespace: placed.namespace, start: placed.start, end: placed.start + placed.shares }
}

/** The shares of the compact sequence in which the tx stands; others may share the first and the last of them. */
function locateTx({ txs, layout }: SealedSquare, position: number): Place | undefined {
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
