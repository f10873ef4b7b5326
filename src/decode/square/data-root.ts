import { equalBytes } from '../../lib/encoding/bytes.ts'
import type { Square } from './build-square.ts'
import { computeMerkleRoot } from './merkle.ts'
import { NAMESPACE_SIZE, PARITY_NAMESPACE } from './namespaces.ts'
import { foldKernelTree, NODE_SIZE } from './nmt.ts'
import { turnKernelShards } from './reed-solomon.ts'
import { SHARE_SIZE } from './share-counts.ts'
import { kernel, reserve, SLACK } from './simd/kernel.ts'

/** Roots of the extended square: 2 x size rows and as many columns. */
export type AxisRoots = { rows: Uint8Array[]; columns: Uint8Array[] }

/** Columns that are extended together fit into the processor's cache. */
const STRIP_BYTES = 512 * 1024

/**
 * `data_hash` of the block that has this square, whose shares are written over on the way: a copy of the largest square would take
 * 128 MiB. CPU: 16 x 16: 2 ms, 32 x 32: 8 ms, 128 x 128: 0.13 s, 256 x 256 (32 MiB): 0.6 s, 512 x 512: 2.5 s, four fifths of it
 * hashing (Nov 2026).
 */
export function computeDataRoot(square: Square): Uint8Array {
  const roots = computeAxisRoots(square)
  return computeMerkleRoot([...roots.rows, ...roots.columns])
}

/** Writes over the shares as well. */
export function computeAxisRoots(square: Square): AxisRoots {
  const { size } = square
  const side = 2 * size
  const workshop = openWorkshop(size)
  const columns = makeColumnTrees(side, workshop)
  const rows: Uint8Array[] = []
  // One extended row at a time: the whole extended square would take four times the bytes of the block.
  for (let y = 0; y < side; y++) {
    if (y === size) turnColumnsIntoParity(square, workshop)
    const row = rowOf(square, y % size)
    if (y > 0 && y < size && equalBytes(row, rowOf(square, y - 1))) {
      // Padding: up to three quarters of a square.
      rows.push(rows[y - 1]!)
    } else {
      makeLeaves(workshop, row, y < size)
      rows.push(foldKernelTree(workshop.nodes, workshop.scraps, side))
    }
    columns.addRow(workshop.nodes)
  }
  return { rows, columns: columns.roots() }
}

/** Leaves of one row of the original square and its parity half: all that a proof of shares in that row needs. */
export function makeRowLeaves(square: Square, row: number): Uint8Array {
  const workshop = openWorkshop(square.size)
  makeLeaves(workshop, rowOf(square, row), true)
  return workshop.bytes.slice(workshop.nodes, workshop.nodes + 2 * square.size * NODE_SIZE)
}

/** Places in the memory of the kernel: an extended row, its leaf nodes, those above, and the trees of the columns. */
type Workshop = ReturnType<typeof openWorkshop>

function openWorkshop(size: number) {
  const side = 2 * size
  const { bytes, at } = reserve(
    Math.max(side * SHARE_SIZE, STRIP_BYTES),
    side * NODE_SIZE,
    size * NODE_SIZE,
    NAMESPACE_SIZE,
    (Math.log2(side) + 1) * (side * NODE_SIZE + SLACK),
  )
  const [shares, nodes, scraps, parityNamespace, columns] = at
  bytes.set(PARITY_NAMESPACE, parityNamespace)
  return { bytes, shares, nodes, scraps, parityNamespace, columns }
}

function rowOf({ size, bytes }: Square, row: number): Uint8Array {
  return bytes.subarray(row * size * SHARE_SIZE, (row + 1) * size * SHARE_SIZE)
}

/** `row` is the left half of a row of the extended square. */
function makeLeaves({ bytes, shares, nodes, parityNamespace }: Workshop, row: Uint8Array, isOriginal: boolean): void {
  const size = row.length / SHARE_SIZE
  const parity = shares + row.length
  bytes.set(row, shares)
  bytes.set(row, parity)
  turnKernelShards(parity, size, SHARE_SIZE)
  if (isOriginal) kernel().hashLeaves(shares, shares, SHARE_SIZE, nodes, size)
  else kernel().hashLeaves(shares, parityNamespace, 0, nodes, size)
  kernel().hashLeaves(parity, parityNamespace, 0, nodes + size * NODE_SIZE, size)
}

/** From the original square to the lower left quarter of the extended one. */
function turnColumnsIntoParity({ size, bytes }: Square, { bytes: kernelBytes, shares }: Workshop): void {
  const rowBytes = size * SHARE_SIZE
  const stripBytes = Math.min(rowBytes, STRIP_BYTES / size)
  for (let strip = 0; strip < rowBytes; strip += stripBytes) {
    for (let y = 0; y < size; y++) {
      const from = y * rowBytes + strip
      kernelBytes.set(bytes.subarray(from, from + stripBytes), shares + y * stripBytes)
    }
    turnKernelShards(shares, size, stripBytes)
    for (let y = 0; y < size; y++) {
      const from = shares + y * stripBytes
      bytes.set(kernelBytes.subarray(from, from + stripBytes), y * rowBytes + strip)
    }
  }
}

/**
 * The trees of all columns, grown row by row: of every height at most one row of nodes waits for its right neighbours, so that the
 * leaves of the whole square need not be kept.
 */
function makeColumnTrees(side: number, { bytes, columns: start }: Workshop) {
  const rowBytes = side * NODE_SIZE
  const waiting = (height: number) => start + height * (rowBytes + SLACK)
  let rows = 0
  return {
    addRow(nodes: number): void {
      let height = 0
      let row = nodes
      for (let rest = rows++; rest & 1; rest >>= 1) {
        const left = waiting(height++)
        kernel().hashNodes(left, row, NODE_SIZE, left, side)
        row = left
      }
      bytes.copyWithin(waiting(height), row, row + rowBytes)
    },
    roots(): Uint8Array[] {
      const top = waiting(Math.log2(side))
      return Array.from({ length: side }, (_, x) => bytes.slice(top + x * NODE_SIZE, top + (x + 1) * NODE_SIZE))
    },
  }
}
