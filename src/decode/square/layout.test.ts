import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '../../lib/encoding/bytes.ts'
import { decodeTx } from '../tx.ts'
import { layoutSquare, listShareIndexes, type TxShape } from './layout.ts'
import { hasPublicBlocks, listSquareTxs, RECORDINGS, readPublicBlock, readRecording } from './recorded-blocks.case.ts'
import { toTxShape } from './square-tx.ts'

const makeNamespace = (last: number): Uint8Array => new Uint8Array(29).fill(last, 20)
const makeBlob = (last: number, size: number): TxShape['blobs'][number] => ({
  namespace: makeNamespace(last),
  data: { length: size },
  shareVersion: 0,
})
const makePfb = (innerSize: number, ...blobs: TxShape['blobs']): TxShape => ({
  kind: 'blob',
  inner: { length: innerSize },
  blobs,
})

for (const name of RECORDINGS) {
  test(`the side of every square of ${name} follows from lengths alone`, () => {
    for (const block of readRecording(name)) {
      const shapes = block.rawTxs.map((bytes) => toTxShape(bytes, decodeTx(bytes), block.versionApp))
      const layout = layoutSquare(shapes)
      assert.equal(layout.size, block.squareSize, `block ${block.height}`)
      assert.deepEqual(layout, layoutSquare(listSquareTxs(block)))
    }
  })
}

if (hasPublicBlocks) {
  test('public block 8880520 is laid out as on the chain', () => {
    const layout = layoutSquare(listSquareTxs(readPublicBlock(8880520)))
    assert.deepEqual([layout.size, layout.currentSize, layout.txShares, layout.pfbShares], [32, 291, 69, 7])
    const ranges = new Map<string, [number, number]>()
    for (const blob of layout.blobs) {
      const id = toHex(blob.namespace).replace(/^(00)+/, '')
      ranges.set(id, [ranges.get(id)?.[0] ?? blob.start, blob.start + blob.shares - 1])
    }
    assert.deepEqual(Object.fromEntries(ranges), {
      '65636c69707365': [76, 285],
      '48ebd3411d6431afa0c5': [286, 289],
      e27869573bab26ce73f5: [290, 290],
    })
    assert.equal(layout.blobs.length, 32)
  })

  test('public block 1768659 is laid out as on the chain', () => {
    const layout = layoutSquare(listSquareTxs(readPublicBlock(1768659)))
    assert.deepEqual([layout.size, layout.currentSize, layout.txShares, layout.pfbShares], [32, 512, 2, 17])
    const last = layout.blobs.at(-1)!
    assert.equal(last.start + last.shares - 1, 510)
    assert.equal(layout.blobs.length, 42)
  })
}

test('an empty block has a square of one share', () => {
  assert.deepEqual(layoutSquare([]), { size: 1, currentSize: 0, txShares: 0, pfbShares: 0, fibreShares: 0, blobs: [] })
})

test('blobs are sorted by namespace and stay in the order of their txs inside one', () => {
  const layout = layoutSquare([makePfb(300, makeBlob(9, 10), makeBlob(3, 10)), makePfb(300, makeBlob(9, 10), makeBlob(3, 10))])
  assert.deepEqual(
    layout.blobs.map(({ tx, index, start }) => [tx, index, start]),
    [
      [0, 1, 2],
      [1, 1, 3],
      [0, 0, 4],
      [1, 0, 5],
    ],
  )
})

test('a wide blob starts at a multiple of its subtree width', () => {
  // 65 shares of width 2 and 129 shares of width 4
  const layout = layoutSquare([makePfb(300, makeBlob(1, 478 + 64 * 482), makeBlob(2, 478 + 128 * 482))])
  assert.deepEqual(
    layout.blobs.map(({ start, shares }) => [start, shares]),
    [
      [2, 65],
      [68, 129],
    ],
  )
  assert.equal(layout.currentSize, 1 + 66 + 132)
})

test('room for PFBs is set aside for the largest indexes although true ones need less', () => {
  // Unit of 476 bytes with an index of three bytes, of 474 with an index of one: one share more is set aside than used.
  const innerSize = 476 - 2 - 3 - 5 - 6
  const layout = layoutSquare([makePfb(innerSize, makeBlob(1, 10))])
  assert.equal(layout.pfbShares, 1)
  assert.equal(layout.blobs[0]!.start, 2)
})

test('an authored blob that was counted without its signer pushes the others from where their PFBs say', () => {
  const authored = { ...makeBlob(1, 470), shareVersion: 1 }
  const lay = (first: TxShape['blobs'][number]) =>
    layoutSquare([makePfb(300, first, makeBlob(2, 10), makeBlob(3, 478 + 64 * 482))])
  const places = (layout: ReturnType<typeof lay>) =>
    layout.blobs.map(({ statedStart, start, shares }) => [statedStart, start, shares])
  const right = lay(authored)
  assert.deepEqual(places(right), [
    [1, 1, 2],
    [3, 3, 1],
    [4, 4, 65],
  ])
  const uncounted = lay({ ...authored, signerUncounted: true })
  assert.deepEqual(places(uncounted), [
    [1, 1, 2],
    [2, 3, 1],
    [4, 5, 65],
  ])
  assert.equal(right.currentSize - uncounted.currentSize, 1)
  assert.deepEqual(listShareIndexes([makePfb(300, authored, makeBlob(2, 10), makeBlob(3, 9))], uncounted), [[1, 2, 4]])
})

test('blobs that push one another out of the square they were counted for still have places', () => {
  const authored = { ...makeBlob(1, 470), shareVersion: 1, signerUncounted: true as const }
  const layout = layoutSquare([makePfb(300, authored, authored, authored)])
  assert.equal(layout.currentSize, 4)
  assert.equal(layout.size, 4)
  assert.equal(layout.blobs.at(-1)!.start + layout.blobs.at(-1)!.shares, 7)
})

test('fibre txs stand behind PFBs and their system blobs among the blobs', () => {
  const fibre: TxShape = {
    kind: 'fibre',
    inner: { length: 600 },
    blobs: [{ namespace: makeNamespace(5), data: { length: 36 }, shareVersion: 2 }],
  }
  const layout = layoutSquare([
    { kind: 'plain', inner: { length: 100 }, blobs: [] },
    makePfb(300, makeBlob(9, 10), makeBlob(2, 10)),
    fibre,
  ])
  assert.deepEqual([layout.txShares, layout.pfbShares, layout.fibreShares], [1, 1, 2])
  assert.deepEqual(
    layout.blobs.map(({ tx, start, shares }) => [tx, start, shares]),
    [
      [1, 4, 1],
      [2, 5, 1],
      [1, 6, 1],
    ],
  )
})
