import type { Square } from './build-square.ts'
import { computeMerkleRoot } from './merkle.ts'
import { NAMESPACE_SIZE, PARITY_NAMESPACE } from './namespaces.ts'
import { foldToNmtRoot, NODE_SIZE, writeLeafNode } from './nmt.ts'
import { turnIntoParity } from './reed-solomon.ts'
import { SHARE_SIZE } from './share-counts.ts'

/** Roots of the extended square: 2 x size rows and as many columns. */
export type AxisRoots = { rows: Uint8Array[]; columns: Uint8Array[] }

/**
 * `data_hash` of the block that has this square, whose shares are written over on the way: a copy of the largest square would take
 * 128 MiB. CPU: 16 x 16: 14 ms, 32 x 32: 43 ms, 128 x 128: 0.7 s, 256 x 256 (32 MiB): 3 s, 512 x 512: 17 s, most of it hashing (Nov 2026).
 */
export function computeDataRoot(square: Square): Uint8Array {
  const roots = computeAxisRoots(square)
  return computeMerkleRoot([...roots.rows, ...roots.columns])
}

/** Writes over the shares as well. */
export function computeAxisRoots(square: Square): AxisRoots {
  const { size } = square
  const side = 2 * size
  const axisBytes = side * NODE_SIZE
  const leafNodes = new Uint8Array(side * axisBytes)
  const rows: Uint8Array[] = []
  const columns: Uint8Array[] = []
  // Folding a tree writes over its leaves, and the columns need those of the rows.
  const axis = new Uint8Array(axisBytes)
  const parity = new Uint8Array(size * SHARE_SIZE)
  // One extended row at a time: the whole extended square would take four times the bytes of the block.
  for (let y = 0; y < side; y++) {
    if (y === size) turnColumnsIntoParity(square)
    const nodes = leafNodes.subarray(y * axisBytes, (y + 1) * axisBytes)
    writeRowLeaves(nodes, rowOf(square, y % size), y < size, parity)
    axis.set(nodes)
    rows.push(foldToNmtRoot(axis))
  }
  for (let x = 0; x < side; x++) {
    for (let y = 0; y < side; y++) {
      const at = y * axisBytes + x * NODE_SIZE
      axis.set(leafNodes.subarray(at, at + NODE_SIZE), y * NODE_SIZE)
    }
    columns.push(foldToNmtRoot(axis))
  }
  return { rows, columns }
}

/** Leaves of one row of the original square and its parity half: all that a proof of shares in that row needs. */
export function makeRowLeaves(square: Square, row: number): Uint8Array {
  const leafNodes = new Uint8Array(2 * square.size * NODE_SIZE)
  writeRowLeaves(leafNodes, rowOf(square, row), true, new Uint8Array(square.size * SHARE_SIZE))
  return leafNodes
}

function rowOf({ size, bytes }: Square, row: number): Uint8Array {
  return bytes.subarray(row * size * SHARE_SIZE, (row + 1) * size * SHARE_SIZE)
}

/** `row` is the left half of a row of the extended square; its right half is made in `parity`. */
function writeRowLeaves(target: Uint8Array, row: Uint8Array, isOriginal: boolean, parity: Uint8Array): void {
  parity.set(row)
  turnIntoParity(parity, 0, { count: row.length / SHARE_SIZE, shardSize: SHARE_SIZE, stride: SHARE_SIZE })
  let at = 0
  for (const half of [row, parity]) {
    for (let from = 0; from < half.length; from += SHARE_SIZE, at += NODE_SIZE) {
      const share = half.subarray(from, from + SHARE_SIZE)
      writeLeafNode(target, at, isOriginal && half === row ? share.subarray(0, NAMESPACE_SIZE) : PARITY_NAMESPACE, share)
    }
  }
}

/** From the original square to the lower left quarter of the extended one. */
function turnColumnsIntoParity({ size, bytes }: Square): void {
  // A column after the other stays in the processor's cache.
  for (let column = 0; column < size; column++) {
    turnIntoParity(bytes, column * SHARE_SIZE, { count: size, shardSize: SHARE_SIZE, stride: size * SHARE_SIZE })
  }
}
