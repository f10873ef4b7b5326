import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fewOf } from '../../../test/support/long-test.ts'
import { toHex } from '../../lib/encoding/bytes.ts'
import { buildSquare } from './build-square.ts'
import { type AxisRoots, computeAxisRoots, computeDataRoot, growAxisRoots } from './data-root.ts'
import { computeMerkleRoot } from './merkle.ts'
import {
  hasPublicBlocks,
  listSquareTxs,
  RECORDINGS,
  type RecordedBlock,
  readPublicBlock,
  readRecording,
} from './recorded-blocks.case.ts'
import { SHARE_SIZE } from './share-counts.ts'

function checkDataRoot(block: RecordedBlock): void {
  const square = buildSquare(listSquareTxs(block))
  assert.equal(square.size, block.squareSize, `square size of block ${block.height}`)
  assert.equal(toHex(computeDataRoot(square)), block.dataHash, `data root of block ${block.height}`)
}

for (const name of fewOf(RECORDINGS, 1)) {
  test(`the data root of every block of ${name} is rebuilt from its txs`, () => {
    let blocks = 0
    for (const block of readRecording(name)) {
      checkDataRoot(block)
      blocks++
    }
    assert.ok(blocks > 150)
  })
}

if (hasPublicBlocks) {
  for (const height of [8880520, 1768659]) {
    test(`the data root of public block ${height} is rebuilt from its txs`, () => checkDataRoot(readPublicBlock(height)))
  }
}

test('one changed byte in a square changes its data root', () => {
  for (const block of readRecording('test-1')) {
    if (block.squareSize !== 4) continue
    const square = buildSquare(listSquareTxs(block))
    square.bytes[5 * SHARE_SIZE + 300]! ^= 1
    assert.notEqual(toHex(computeDataRoot(square)), block.dataHash)
    return
  }
  assert.fail('no square of side 4 in the recording')
})

test('squares that are computed in turns have the roots of those that are computed at once', () => {
  const blocks = [...readRecording('devnet')].filter(({ squareSize }) => squareSize >= 8).slice(0, 6)
  assert.ok(new Set(blocks.map(({ squareSize }) => squareSize)).size > 1, 'squares of one size share their places in memory')
  const running = blocks.map((block) => ({
    block,
    steps: growAxisRoots(buildSquare(listSquareTxs(block)), () => true),
    turns: 0,
  }))
  const roots = new Map<RecordedBlock, AxisRoots>()
  while (roots.size < blocks.length)
    for (const one of running.filter(({ block }) => !roots.has(block))) {
      const { done, value } = one.steps.next()
      one.turns++
      if (done) roots.set(one.block, value)
    }
  for (const { block, turns } of running) {
    const { rows, columns, halves } = roots.get(block)!
    assert.equal(toHex(computeMerkleRoot([...rows, ...columns])), block.dataHash, `block ${block.height}`)
    assert.deepEqual(halves, computeAxisRoots(buildSquare(listSquareTxs(block))).halves)
    assert.ok(turns > 2 * block.squareSize)
  }
})

test('equal rows are hashed once', () => {
  const square = buildSquare([])
  const padding = { size: 16, bytes: Buffer.concat(Array.from({ length: 256 }, () => square.bytes)) }
  // One row of the original square, and every row of its parity half.
  assert.equal(computeAxisRoots(padding).hashedShares, 32 + 16 * 32)
})
