import { computeMerkleRoot } from './merkle.ts'
import { foldToNmtRoot, NODE_SIZE, writeLeafNodes } from './nmt.ts'
import { countBlobShares, getSubtreeWidth } from './share-counts.ts'
import { openWindow, type SquareBlob, writeBlob } from './shares.ts'

/** The 32 bytes a PFB signs for a blob: they depend on the blob alone, not on where it lands in the square. */
export function computeCommitment(blob: SquareBlob): Uint8Array {
  const total = countBlobShares(blob.data.length, blob.shareVersion)
  const window = openWindow(0, total)
  writeBlob(window, 0, blob)
  const leafNodes = new Uint8Array(total * NODE_SIZE)
  writeLeafNodes(leafNodes, 0, blob.namespace, window.bytes)
  const roots: Uint8Array[] = []
  let from = 0
  for (const width of listMountains(total)) {
    roots.push(foldToNmtRoot(leafNodes.subarray(from * NODE_SIZE, (from + width) * NODE_SIZE)))
    from += width
  }
  return computeMerkleRoot(roots)
}

/** Full subtrees as long as they fit, then ever smaller powers of two. */
function listMountains(shares: number): number[] {
  const widths: number[] = []
  let rest = shares
  for (let width = getSubtreeWidth(shares); rest > 0; ) {
    if (rest >= width) {
      widths.push(width)
      rest -= width
    } else {
      width /= 2
    }
  }
  return widths
}
