import { equalBytes } from '../../lib/encoding/bytes.ts'
import type { Square } from './build-square.ts'
import { hashRow } from './data-root.ts'
import { type MerkleProof, proveLeaf, verifyLeaf } from './merkle.ts'
import { buildLevels, NODE_SIZE, proveRange, type RangeProof, verifyRange, writeLeafNodes } from './nmt.ts'
import { SHARE_SIZE } from './share-counts.ts'
import { halvesOf, type SquareTrees } from './square-trees.ts'

/**
 * One proof per row that shares `start`..`end` (exclusive, flat) touch, in column indexes of that row: the answer of
 * `POST /v1/blob/proofs`. Undefined when these shares are not the ones that the trees were grown from.
 */
export function proveShareRange(square: Square, trees: SquareTrees, start: number, end: number): RangeProof[] | undefined {
  if (square.size !== trees.size) return undefined
  const proofs: RangeProof[] = []
  for (const { row, from, to } of splitByRow(start, end, square.size)) {
    const levels = buildLevels(hashRow(square, row))
    const { left, right } = halvesOf(trees, row)
    if (!equalBytes(levels.at(-1)!, left)) return undefined
    const { nodes } = proveRange(levels, from, to)
    // Shares are never in the right half of a row, which is parity.
    proofs.push({ start: from, end: to, nodes: [...nodes, right] })
  }
  return proofs
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
