import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Square } from './build-square.ts'
import { computeAxisRoots, rowOf } from './data-root.ts'
import { computeMerkleRoot } from './merkle.ts'
import { NAMESPACE_SIZE, PARITY_NAMESPACE } from './namespaces.ts'
import { foldToNmtRoot, NODE_SIZE, writeLeafNodes } from './nmt.ts'
import { proveRow, proveShareRange, verifyRow, verifyShareRange } from './proof.ts'
import { turnIntoWideParity } from './reed-solomon.ts'
import { SHARE_SIZE } from './share-counts.ts'
import { growTrees } from './square-trees.ts'

/** The narrowest square that the 8-bit code cannot do. Every share has the same namespace, as in a block with one large blob. */
const SIZE = 256
const NAMESPACE = Buffer.alloc(NAMESPACE_SIZE, 7)

function makeSquare(): Square {
  const bytes = new Uint8Array(SIZE * SIZE * SHARE_SIZE)
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 40503) >> 7
  for (let share = 0; share < SIZE * SIZE; share++) bytes.set(NAMESPACE, share * SHARE_SIZE)
  return { size: SIZE, bytes }
}

const square = makeSquare()
const roots = computeAxisRoots({ ...square, bytes: square.bytes.slice() })
const trees = growTrees(SIZE, roots)

/** One axis by itself: the shares that start at `from`, `step` shares apart, and their parity. */
function extendAxis(bytes: Uint8Array, from: number, step: number): Uint8Array[] {
  const shares = Array.from({ length: SIZE }, (_, i) => {
    const at = (from + i * step) * SHARE_SIZE
    return bytes.subarray(at, at + SHARE_SIZE)
  })
  const parity = Uint8Array.from(Buffer.concat(shares))
  turnIntoWideParity(parity, 0, { count: SIZE, shardSize: SHARE_SIZE, stride: SHARE_SIZE })
  return [...shares, ...shares.map((_, i) => parity.subarray(i * SHARE_SIZE, (i + 1) * SHARE_SIZE))]
}

function computeRoot(shares: Uint8Array[], namespaceOf: (index: number) => Uint8Array): Uint8Array {
  const nodes = new Uint8Array(shares.length * NODE_SIZE)
  for (const [i, share] of shares.entries()) writeLeafNodes(nodes, i * NODE_SIZE, namespaceOf(i), share)
  return foldToNmtRoot(nodes)
}

test('rows and columns of a square of side 256 are extended with the 16-bit code', () => {
  assert.deepEqual([roots.rows.length, roots.columns.length], [2 * SIZE, 2 * SIZE])
  const ofOriginal = (index: number) => (index < SIZE ? NAMESPACE : PARITY_NAMESPACE)
  for (const axis of [0, 1, 130, SIZE - 1]) {
    assert.deepEqual(computeRoot(extendAxis(square.bytes, axis * SIZE, 1), ofOriginal), roots.rows[axis], `row ${axis}`)
    assert.deepEqual(computeRoot(extendAxis(square.bytes, axis, SIZE), ofOriginal), roots.columns[axis], `column ${axis}`)
  }
})

test('the parity rows of a square of side 256 are the rows of its extended columns', () => {
  const row = Buffer.concat(Array.from({ length: SIZE }, (_, column) => extendAxis(square.bytes, column, SIZE)[SIZE + 3]!))
  assert.deepEqual(
    computeRoot(extendAxis(row, 0, 1), () => PARITY_NAMESPACE),
    roots.rows[SIZE + 3],
  )
})

test('shares over several rows of a square of side 256 are proven up to the data root', () => {
  const [start, end] = [SIZE * 9 + 200, SIZE * 12 + 17]
  const readRow = (row: number) => rowOf(square, row)
  const { ranges: proofs } = proveShareRange(readRow, trees, { start, end })!
  const sealed = proveShareRange(readRow, trees, { start, end, areSealed: true })!
  assert.deepEqual(sealed, { ranges: proofs, hashedShares: 2 * SIZE }, 'whole rows of a sealed square need no hashes')
  const rowRoots = roots.rows.slice(9, 13)
  const shares = square.bytes.slice(start * SHARE_SIZE, end * SHARE_SIZE)
  const claim = { namespace: NAMESPACE, shares, proofs, rowRoots, size: SIZE }
  assert.ok(verifyShareRange(claim))
  const dataRoot = computeMerkleRoot([...roots.rows, ...roots.columns])
  for (const [i, rowRoot] of rowRoots.entries()) assert.ok(verifyRow(dataRoot, rowRoot, proveRow(trees, 9 + i)))
  shares[100]! ^= 1
  assert.ok(!verifyShareRange(claim))
})
