import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '../../lib/encoding/bytes.ts'
import { buildSquare, type Square, type SquareTx } from './build-square.ts'
import { layoutSquare } from './layout.ts'
import { type OdsRun, odsRuns, packOds, toOds, unpackOds } from './ods.ts'
import { listSquareTxs, RECORDINGS, type RecordedBlock, readRecording, readReferenceAnswers } from './recorded-blocks.case.ts'
import { SHARE_SIZE } from './share-counts.ts'

function readRuns({ bytes }: Square): OdsRun[] {
  const runs: OdsRun[] = []
  for (let at = 0; at < bytes.length; at += SHARE_SIZE) {
    const namespace = bytes.subarray(at, at + 29)
    const last = runs.at(-1)
    if (last !== undefined && toHex(last.namespace) === toHex(namespace)) last.shares++
    else runs.push({ shares: 1, namespace })
  }
  return runs
}

const toPlain = (runs: OdsRun[]): [number, string][] => runs.map(({ shares, namespace }) => [shares, toHex(namespace)])

test('the square maps of the reference are met item by item', () => {
  const blocks = new Map<number, RecordedBlock>()
  for (const block of readRecording('devnet')) blocks.set(block.height, block)
  let compared = 0
  for (const answer of readReferenceAnswers()) {
    const height = /^\/v1\/block\/(\d+)\/ods$/.exec(answer.url)?.[1]
    if (height === undefined) continue
    const layout = layoutSquare(listSquareTxs(blocks.get(Number(height))!))
    assert.deepEqual(toOds(layout.size, odsRuns(layout)), answer.body, answer.url)
    compared++
  }
  assert.equal(compared, 15)
})

for (const name of RECORDINGS) {
  test(`the maps of ${name} say what is in the shares, and survive storage`, () => {
    for (const block of readRecording(name)) {
      const txs = listSquareTxs(block)
      const layout = layoutSquare(txs)
      const runs = odsRuns(layout)
      assert.deepEqual(toPlain(runs), toPlain(readRuns(buildSquare(txs, layout))), `block ${block.height}`)
      assert.deepEqual(toPlain(unpackOds(packOds(runs))), toPlain(runs), `block ${block.height}`)
    }
  })
}

test('an empty block is one share of tail padding', () => {
  assert.deepEqual(toOds(1, odsRuns(layoutSquare([]))), {
    width: 1,
    items: [{ from: [0, 0], to: [0, 0], namespace: '//////////////////////////////////////4=', type: 'tail_padding' }],
  })
})

test('fibre txs and the room left before the first blob have their own types', () => {
  const namespace = new Uint8Array(29).fill(7, 20)
  const signer = new Uint8Array(20)
  const txs: SquareTx[] = [
    { kind: 'blob', inner: new Uint8Array(460), blobs: [{ namespace, data: new Uint8Array(10), shareVersion: 0 }] },
    { kind: 'fibre', inner: new Uint8Array(300), blobs: [{ namespace, data: new Uint8Array(36), shareVersion: 2, signer }] },
  ]
  const layout = layoutSquare(txs)
  assert.deepEqual(toPlain(odsRuns(layout)), toPlain(readRuns(buildSquare(txs))))
  assert.deepEqual(
    toOds(layout.size, odsRuns(layout)).items.map(({ from, to, type }) => [type, from, to]),
    [
      ['pay_for_blob', [0, 0], [0, 0]],
      ['pay_for_fibre', [0, 1], [0, 1]],
      ['primary_reserved_padding', [0, 2], [0, 2]],
      ['namespace', [0, 3], [1, 0]],
      ['tail_padding', [1, 1], [3, 3]],
    ],
  )
})

test('the map of a square with an uncounted signer is that of its shares', () => {
  const signer = new Uint8Array(20).fill(1)
  const makeBlob = (last: number, size: number) => ({ namespace: new Uint8Array(29).fill(last, 20), data: new Uint8Array(size) })
  const txs: SquareTx[] = [
    {
      kind: 'blob',
      inner: new Uint8Array(300),
      blobs: [
        { ...makeBlob(1, 470), shareVersion: 1, signer, signerUncounted: true },
        { ...makeBlob(2, 478 + 64 * 482), shareVersion: 0 },
        { ...makeBlob(3, 5), shareVersion: 0 },
      ],
    },
  ]
  assert.deepEqual(toPlain(odsRuns(layoutSquare(txs))), toPlain(readRuns(buildSquare(txs))))
})

test('runs of any namespace and length survive storage', () => {
  const runs: OdsRun[] = [
    { shares: 1, namespace: new Uint8Array(29) },
    { shares: 127, namespace: new Uint8Array(29).fill(1, 28) },
    { shares: 128, namespace: new Uint8Array(29).fill(255) },
    { shares: 262144, namespace: new Uint8Array(29).fill(200, 19) },
    { shares: 16384, namespace: new Uint8Array(29).fill(3, 1) },
  ]
  assert.deepEqual(unpackOds(packOds(runs)), runs)
})

test('a stored map that was cut is refused', () => {
  const packed = packOds([{ shares: 300, namespace: new Uint8Array(29).fill(9, 20) }])
  assert.throws(() => unpackOds(packed.subarray(0, -1)), { code: 'ods_corrupt' })
})
