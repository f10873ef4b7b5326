import { compareNamespaces } from './namespaces.ts'
import { countBlobShares, countCompactShares, getSquareSize, getSubtreeWidth, measureVarint } from './share-counts.ts'

type Sized = { readonly length: number }
type BlobShape = {
  readonly namespace: Uint8Array
  readonly data: Sized
  readonly shareVersion: number
  readonly signerUncounted?: true | undefined
}

/** Part of a tx that the layout needs: lengths, never payloads. A `SquareTx` is one. */
export type TxShape = { readonly kind: 'plain' | 'blob' | 'fibre'; readonly inner: Sized; readonly blobs: readonly BlobShape[] }

export type PlacedBlob = {
  /** Position of its tx in the block. */
  tx: number
  /** Position inside its tx. */
  index: number
  namespace: Uint8Array
  shareVersion: number
  /** Flat index of its first share: row `start / size`, column `start % size`. */
  start: number
  shares: number
  /** Shares that the chain thought it needs; what its PFB calls the first of them. The same, but for blobs whose signer went uncounted. */
  countedShares: number
  statedStart: number
}

export type SquareLayout = {
  /** Side of the original square; equals `data.square_size` of the block. */
  size: number
  /** Shares the block is charged for when the side is chosen: every blob with its worst padding. */
  currentSize: number
  txShares: number
  pfbShares: number
  fibreShares: number
  /** In the order of the square. */
  blobs: PlacedBlob[]
}

/** Any index of a 512 x 512 square fits into so many varint bytes; room for PFBs is set aside before the indexes are known. */
const WORST_INDEX_SIZE = 3

/** Order in the square: txs, PFBs, fibre txs, padding, blobs by namespace, tail padding. About 2 µs a tx (devnet recording, Nov 2026). */
export function layoutSquare(txs: readonly TxShape[]): SquareLayout {
  let txBytes = 0
  let fibreBytes = 0
  let worstPfbBytes = 0
  let blobRoom = 0
  const blobs: PlacedBlob[] = []
  for (let tx = 0; tx < txs.length; tx++) {
    const shape = txs[tx]!
    const size = shape.inner.length
    if (shape.kind === 'plain') txBytes += measureUnit(size)
    else if (shape.kind === 'fibre') fibreBytes += measureUnit(size)
    else worstPfbBytes += measureUnit(measureIndexWrapper(size, shape.blobs.length * WORST_INDEX_SIZE))
    for (let index = 0; index < shape.blobs.length; index++) {
      const { namespace, data, shareVersion, signerUncounted } = shape.blobs[index]!
      const shares = countBlobShares(data.length, shareVersion)
      const countedShares = signerUncounted ? countBlobShares(data.length, 0) : shares
      blobRoom += countedShares + getSubtreeWidth(countedShares) - 1
      blobs.push({ tx, index, namespace, shareVersion, start: 0, shares, countedShares, statedStart: 0 })
    }
  }
  const txShares = countCompactShares(txBytes)
  const fibreShares = countCompactShares(fibreBytes)
  const reservedShares = txShares + countCompactShares(worstPfbBytes) + fibreShares
  const currentSize = reservedShares + blobRoom

  // The sort is stable, so blobs of one namespace stay in the order of their txs.
  blobs.sort((a, b) => compareNamespaces(a.namespace, b.namespace))
  const end = placeBlobs(blobs, reservedShares)
  return {
    // A square larger than the chosen side cannot be a block; it is laid out all the same, and refused by its root.
    size: getSquareSize(Math.max(currentSize, end)),
    currentSize,
    txShares,
    pfbShares: countCompactShares(measurePfbBytes(txs, blobs)),
    fibreShares,
    blobs,
  }
}

/** Answers the end of the last one. A blob that is longer than it was counted pushes all behind it away from where their PFBs say they are. */
function placeBlobs(blobs: PlacedBlob[], firstFree: number): number {
  let cursor = firstFree
  let pushed = 0
  for (const blob of blobs) {
    const width = getSubtreeWidth(blob.countedShares)
    blob.statedStart = Math.ceil(cursor / width) * width
    blob.start = blob.statedStart + pushed
    cursor = blob.statedStart + blob.countedShares
    pushed += blob.shares - blob.countedShares
  }
  return cursor + pushed
}

/** The PFB sequence with true indexes: shorter than the room set aside when indexes are small. */
function measurePfbBytes(txs: readonly TxShape[], blobs: readonly PlacedBlob[]): number {
  const indexBytes = new Uint32Array(txs.length)
  for (const blob of blobs) indexBytes[blob.tx]! += measureVarint(blob.statedStart)
  let sizeBytes = 0
  for (let tx = 0; tx < txs.length; tx++) {
    const shape = txs[tx]!
    if (shape.kind === 'blob') sizeBytes += measureUnit(measureIndexWrapper(shape.inner.length, indexBytes[tx]!))
  }
  return sizeBytes
}

/** First share of every blob, by tx and position in it, as the IndexWrapper of a PFB says. */
export function listShareIndexes(txs: readonly TxShape[], layout: SquareLayout): number[][] {
  const indexes = txs.map((tx) => new Array<number>(tx.blobs.length).fill(0))
  for (const blob of layout.blobs) indexes[blob.tx]![blob.index] = blob.statedStart
  return indexes
}

/** A unit of a compact sequence is its length as a varint, then its bytes. */
function measureUnit(sizeBytes: number): number {
  return measureVarint(sizeBytes) + sizeBytes
}

/** IndexWrapper {1 tx, 2 share_indexes packed, 3 "INDX"}. */
function measureIndexWrapper(innerBytes: number, indexBytes: number): number {
  return 1 + measureUnit(innerBytes) + (indexBytes === 0 ? 0 : 1 + measureUnit(indexBytes)) + 6
}
