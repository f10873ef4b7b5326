import { equalBytes } from '../../lib/encoding/bytes.ts'
import { hashRow } from './data-root.ts'
import { type MerkleProof, proveLeaf, verifyLeaf } from './merkle.ts'
import { buildLevels, NODE_SIZE, proveRange, type RangeProof, verifyRange, writeLeafNodes } from './nmt.ts'
import { SHARE_SIZE } from './share-counts.ts'
import { halvesOf, type SquareTrees } from './square-trees.ts'

/** Shares of a row of the original square, side by side. */
export type ReadRow = (row: number) => Uint8Array

/**
 * One proof per row that shares `start`..`end` (exclusive, flat) touch, in column indexes of that row: the answer of
 * `POST /v1/blob/proofs`. Undefined when these shares are not the ones that the trees were grown from. Rows that are shown as a whole are
 * hashed for that check alone: not where the shares are known to be (`areSealed`).
 */
export function proveShareRange(
  readRow: ReadRow,
  trees: SquareTrees,
  { start, end, areSealed = false }: { start: number; end: number; areSealed?: boolean },
): { ranges: RangeProof[]; hashedShares: number } | undefined {
  const { size } = trees
  const ranges: RangeProof[] = []
  let hashedShares = 0
  for (const { row, from, to } of splitByRow(start, end, size)) {
    const { left, right } = halvesOf(trees, row)
    let nodes: Uint8Array[] = []
    if (!areSealed || to - from < size) {
      const levels = buildLevels(hashRow(readRow(row)))
      hashedShares += size
      if (!equalBytes(levels.at(-1)!, left)) return undefined
      nodes = proveRange(levels, from, to).nodes
    }
    // Shares are never in the right half of a row, which is parity.
    ranges.push({ start: from, end: to, nodes: [...nodes, right] })
  }
  return { ranges, hashedShares }
}

function splitByRow(start: number, end: number, size: number): { row: number; from: number; to: number }[] {
  const parts: { row: number; from: number; to: number }[] = []
  for (let row = Math.floor(start / size); row * size < end; row++) {
    parts.push({ row, from: Math.max(start - row * size, 0), to: Math.min(end - row * size, size) })
  }
  return parts
}

/** `shares` are the proven shares one after another, all of `namespace`; `rowRoots` the roots of the rows they stand in. */
export function verifyShareRange(claim: {
  namespace: Uint8Array
  shares: Uint8Array
  proofs: readonly RangeProof[]
  rowRoots: readonly Uint8Array[]
  /** Side of the original square. */
  size: number
}): boolean {
  const { namespace, shares, proofs, rowRoots, size } = claim
  if (proofs.length === 0 || proofs.length !== rowRoots.length) return false
  let taken = 0
  for (const [i, proof] of proofs.entries()) {
    // Parity shares are not data: a range never leaves the original half of a row.
    if (proof.end > size) return false
    const part = shares.subarray(taken, (taken += (proof.end - proof.start) * SHARE_SIZE))
    if (!verifyRange(rowRoots[i]!, 2 * size, proof, makeLeaves(namespace, part))) return false
  }
  return taken === shares.length
}

function makeLeaves(namespace: Uint8Array, shares: Uint8Array): Uint8Array {
  const total = Math.floor(shares.length / SHARE_SIZE)
  const leaves = new Uint8Array(total * NODE_SIZE)
  writeLeafNodes(leaves, 0, namespace, shares.subarray(0, total * SHARE_SIZE))
  return leaves
}

/** Merkle proof of a row root in the data root. */
export function proveRow({ levels }: SquareTrees, row: number): MerkleProof {
  return proveLeaf(levels, row)
}

export function verifyRow(dataRoot: Uint8Array, rowRoot: Uint8Array, proof: MerkleProof): boolean {
  return verifyLeaf(dataRoot, rowRoot, proof)
}
