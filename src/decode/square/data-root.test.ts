import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '../../lib/encoding/bytes.ts'
import { buildSquare } from './build-square.ts'
import { computeDataRoot } from './data-root.ts'
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

for (const name of RECORDINGS) {
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
