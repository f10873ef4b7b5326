import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '../../lib/encoding/bytes.ts'
import { PRIMARY_PADDING_NAMESPACE, TX_NAMESPACE } from './namespaces.ts'
import { countCompactShares } from './share-counts.ts'
import { writeBlob, writeCompact, writePadding } from './shares.ts'

const namespace = Uint8Array.from({ length: 29 }, (_, i) => (i < 19 ? 0 : i))
const signer = new Uint8Array(20).fill(0xab)
const makeBytes = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, i) => (i % 255) + 1)

test('a blob of version 0 has its length in the first share and none in the next', () => {
  const target = new Uint8Array(1024)
  const data = makeBytes(479)
  assert.equal(writeBlob(target, 0, { namespace, data, shareVersion: 0 }), 2)
  assert.equal(toHex(target.subarray(0, 34)), `${toHex(namespace)}01000001df`)
  assert.deepEqual(target.subarray(34, 512), data.subarray(0, 478))
  assert.equal(toHex(target.subarray(512, 542)), `${toHex(namespace)}00`)
  assert.equal(target[542], data[478])
  assert.ok(target.subarray(543).every((byte) => byte === 0))
})

test('an authored blob and a fibre system blob carry the signer behind the length', () => {
  for (const [shareVersion, info] of [
    [1, '03'],
    [2, '05'],
  ] as const) {
    const target = new Uint8Array(512)
    const data = makeBytes(36)
    assert.equal(writeBlob(target, 0, { namespace, data, shareVersion, signer }), 1)
    assert.equal(toHex(target.subarray(0, 90)), `${toHex(namespace)}${info}00000024${toHex(signer)}${toHex(data)}`)
  }
})

test('reserved bytes of a compact share tell where its first tx starts, or 0', () => {
  // First share full to the byte (2 + 472), so tx 2 starts at the head of share 1, fills share 2 and ends in share 3, where tx 3 starts.
  const units = [makeBytes(472), makeBytes(1000), makeBytes(5)]
  const total = 2 + 472 + 2 + 1000 + 1 + 5
  const shares = countCompactShares(total)
  const target = new Uint8Array(shares * 512)
  assert.equal(writeCompact(target, 0, TX_NAMESPACE, units), 4)
  const view = new DataView(target.buffer)
  assert.equal(view.getUint32(30), total)
  assert.deepEqual(
    [view.getUint32(34), view.getUint32(512 + 30), view.getUint32(1024 + 30), view.getUint32(1536 + 30)],
    [38, 34, 0, 34 + 46],
  )
  assert.deepEqual(
    [0, 1, 2, 3].map((share) => target[share * 512 + 29]),
    [1, 0, 0, 0],
  )
  assert.equal(target[1536 + 34 + 46], 5)
})

test('a sequence of no txs takes no share', () => {
  const target = new Uint8Array(512)
  assert.equal(writeCompact(target, 0, TX_NAMESPACE, []), 0)
  assert.ok(target.every((byte) => byte === 0))
})

test('a padding share is the start of a sequence of length 0', () => {
  const target = new Uint8Array(1536)
  writePadding(target, 1, 2, PRIMARY_PADDING_NAMESPACE, 1)
  assert.equal(toHex(target.subarray(512, 546)), `${toHex(PRIMARY_PADDING_NAMESPACE)}0300000000`)
  assert.ok(target.subarray(546).every((byte) => byte === 0))
})
