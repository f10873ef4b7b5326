import { equalBytes } from '../../lib/encoding/bytes.ts'
import { finish } from '../../lib/finish.ts'
import type { Square } from './build-square.ts'
import { computeMerkleRoot } from './merkle.ts'
import { NAMESPACE_SIZE, PARITY_NAMESPACE } from './namespaces.ts'
import { foldKernelNodes, foldKernelTree, NODE_SIZE } from './nmt.ts'
import { turnKernelShards } from './reed-solomon.ts'
import { SHARE_SIZE } from './share-counts.ts'
import { kernel, reserve, SLACK } from './simd/kernel.ts'

/** Roots of the extended square: 2 x size rows and as many columns. */
export type AxisRoots = {
  rows: Uint8Array[]
  columns: Uint8Array[]
  /** of every row of the original square, side by side: the root of its left half, which is data, and that of its right half */
  halves: Uint8Array
  /** shares of the extended square whose leaves were hashed: equal rows are hashed once */
  hashedShares: number
}

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
  return finish(growAxisRoots(square, () => false))
}

/** Axis roots in several turns: the work pauses where `isTurnOver` says so, and other squares may be computed before it continues. */
export function* growAxisRoots(square: Square, isTurnOver: () => boolean): Generator<void, AxisRoots> {
  const { size } = square
  const side = 2 * size
  const workshop = openWorkshop(size)
  const columns = makeColumnTrees(side, workshop)
  const rows: Uint8Array[] = []
  const halves = new Uint8Array(side * NODE_SIZE)
  let hashedShares = 0
  // One extended row at a time: the whole extended square would take four times the bytes of the block.
  for (let y = 0; y < side; y++) {
    if (isTurnOver()) yield* lendWorkshop(workshop)
    if (y === size) yield* turnColumnsIntoParity(square, workshop, isTurnOver)
    const row = rowOf(square, y % size)
    if (y > 0 && y < size && equalBytes(row, rowOf(square, y - 1))) {
      // Padding: up to three quarters of a square. The leaves are still there, unless the turn was over.
      if (workshop.row !== y - 1) hashedShares += makeLeaves(workshop, row, true)
      rows.push(rows[y - 1]!)
      halves.copyWithin(y * 2 * NODE_SIZE, (y - 1) * 2 * NODE_SIZE, y * 2 * NODE_SIZE)
    } else {
      hashedShares += makeLeaves(workshop, row, y < size)
      const { root, pair } = foldHalves(workshop, side)
      rows.push(root)
      if (y < size) halves.set(pair, y * 2 * NODE_SIZE)
    }
    workshop.row = y
    columns.addRow()
  }
  return { rows, columns: columns.roots(), halves, hashedShares }
}

/** Leaves of one row of the original square without its parity half, from its shares. */
export function hashRow(shares: Uint8Array): Uint8Array {
  const size = shares.length / SHARE_SIZE
  const { bytes, at } = reserve(shares.length, size * NODE_SIZE)
  const [sharesAt, nodesAt] = at
  bytes.set(shares, sharesAt)
  kernel().hashLeaves(sharesAt, sharesAt, SHARE_SIZE, nodesAt, size)
  return bytes.slice(nodesAt, nodesAt + size * NODE_SIZE)
}

/** Places in the memory of the kernel: an extended row, its leaf nodes, those above, and the trees of the columns. */
type Workshop = ReturnType<typeof openWorkshop>

function openWorkshop(size: number) {
  const side = 2 * size
  const columnBytes = (Math.log2(side) + 1) * (side * NODE_SIZE + SLACK)
  const { bytes, at } = reserve(
    Math.max(side * SHARE_SIZE, STRIP_BYTES),
    side * NODE_SIZE,
    size * NODE_SIZE,
    NAMESPACE_SIZE,
    columnBytes,
  )
  const [shares, nodes, scraps, parityNamespace, columns] = at
  bytes.set(PARITY_NAMESPACE, parityNamespace)
  /** whose leaves are at `nodes` */
  const row = -1
  return { size, bytes, shares, nodes, scraps, parityNamespace, columns, columnBytes, row }
}

/** Others use the memory meanwhile; only the trees of the columns have to be there again. */
function* lendWorkshop(workshop: Workshop): Generator<void, void> {
  const { size, bytes, columns, columnBytes } = workshop
  const grown = bytes.slice(columns, columns + columnBytes)
  yield
  Object.assign(workshop, openWorkshop(size))
  workshop.bytes.set(grown, workshop.columns)
}

export function rowOf({ size, bytes }: Square, row: number): Uint8Array {
  return bytes.subarray(row * size * SHARE_SIZE, (row + 1) * size * SHARE_SIZE)
}

/** `row` is the left half of a row of the extended square. Answers the number of leaves. */
function makeLeaves({ bytes, shares, nodes, parityNamespace }: Workshop, row: Uint8Array, isOriginal: boolean): number {
  const size = row.length / SHARE_SIZE
  const parity = shares + row.length
  bytes.set(row, shares)
  bytes.set(row, parity)
  turnKernelShards(parity, size, SHARE_SIZE)
  if (isOriginal) kernel().hashLeaves(shares, shares, SHARE_SIZE, nodes, size)
  else kernel().hashLeaves(shares, parityNamespace, 0, nodes, size)
  kernel().hashLeaves(parity, parityNamespace, 0, nodes + size * NODE_SIZE, size)
  return 2 * size
}

/** The root over the leaves of a row, and the two nodes below it. */
function foldHalves({ bytes, nodes, scraps }: Workshop, side: number): { root: Uint8Array; pair: Uint8Array } {
  let level = nodes
  for (let pairs = side / 2; pairs > 1; pairs /= 2) {
    foldKernelNodes(level, scraps, pairs)
    level = scraps
  }
  const pair = bytes.slice(level, level + 2 * NODE_SIZE)
  return { root: foldKernelTree(level, scraps, 2), pair }
}

/** From the original square to the lower left quarter of the extended one. */
function* turnColumnsIntoParity({ size, bytes }: Square, workshop: Workshop, isTurnOver: () => boolean): Generator<void, void> {
  const rowBytes = size * SHARE_SIZE
  const stripBytes = Math.min(rowBytes, STRIP_BYTES / size)
  for (let strip = 0; strip < rowBytes; strip += stripBytes) {
    if (isTurnOver()) yield* lendWorkshop(workshop)
    const { bytes: kernelBytes, shares } = workshop
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
function makeColumnTrees(side: number, workshop: Workshop) {
  const rowBytes = side * NODE_SIZE
  const waiting = (height: number) => workshop.columns + height * (rowBytes + SLACK)
  let rows = 0
  return {
    addRow(): void {
      let height = 0
      let row = workshop.nodes
      for (let rest = rows++; rest & 1; rest >>= 1) {
        const left = waiting(height++)
        kernel().hashNodes(left, row, NODE_SIZE, left, side)
        row = left
      }
      workshop.bytes.copyWithin(waiting(height), row, row + rowBytes)
    },
    roots(): Uint8Array[] {
      const top = waiting(Math.log2(side))
      return Array.from({ length: side }, (_, x) => workshop.bytes.slice(top + x * NODE_SIZE, top + (x + 1) * NODE_SIZE))
    },
  }
}
