import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block } from '../../../src/client/gen/operations.ts'
import { hasGap, KEPT_BLOCKS, withBlock, withList } from './recent-blocks.ts'

/** A block as far as lists look at it; `branch` tells blocks of one height apart. */
const block = (height: number, branch = 'a') =>
  ({ height, hash: `${branch}${height}`, parent_hash: `${branch}${height - 1}` }) as Block

const blocks = (from: number, to: number, branch?: string) =>
  Array.from({ length: from - to + 1 }, (_, i) => block(from - i, branch))

const heights = (list: readonly Block[]) => list.map(({ height }) => height)

test('a block that was pushed while a list was on its way stays above the list', () => {
  const pushed = withBlock([], block(12))
  assert.deepEqual(heights(withList(pushed, blocks(11, 5))), [12, 11, 10, 9, 8, 7, 6, 5])
})

test('a list closes the gap below a pushed block', () => {
  const known = withBlock(blocks(9, 5), block(12))
  assert.ok(hasGap(known))
  const closed = withList(known, blocks(11, 3))
  assert.ok(!hasGap(closed))
  assert.deepEqual(heights(closed), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
})

test('a gap is seen wherever it is, also when the newest block is the head', () => {
  assert.ok(!hasGap([]))
  assert.ok(!hasGap(blocks(7, 1)))
  assert.ok(hasGap([...blocks(9, 8), ...blocks(6, 1)]))
})

test('a pushed block replaces its height and what is above it', () => {
  const forked = withBlock(blocks(9, 5), block(8, 'b'))
  assert.deepEqual(
    forked.map(({ hash }) => hash),
    ['b8', 'a7', 'a6', 'a5'],
  )
})

test('a list of another branch takes the place of what it contradicts', () => {
  assert.deepEqual(
    withList(blocks(9, 5), [...blocks(8, 7, 'b'), ...blocks(6, 4)]).map(({ hash }) => hash),
    ['b8', 'b7', 'a6', 'a5', 'a4'],
  )
})

test('an older list of the same branch takes nothing away', () => {
  assert.deepEqual(heights(withList(blocks(9, 3), blocks(7, 4))), [9, 8, 7, 6, 5, 4, 3])
})

test('no more blocks are kept than are drawn', () => {
  assert.equal(withList(blocks(200, 150), blocks(180, 20)).length, KEPT_BLOCKS)
  assert.equal(withBlock(blocks(200, 101), block(201)).length, KEPT_BLOCKS)
})
