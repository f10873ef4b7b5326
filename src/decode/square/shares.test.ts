import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '../../lib/encoding/bytes.ts'
import { PRIMARY_PADDING_NAMESPACE, TX_NAMESPACE } from './namespaces.ts'
import { countCompactShares } from './share-counts.ts'
import { joinUnits, openWindow, writeBlob, writeCompact, writePadding } from './shares.ts'

const namespace = Uint8Array.from({ length: 29 }, (_, i) => (i < 19 ? 0 : i))
const signer = new Uint8Array(20).fill(0xab)
const makeBytes = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, i) => (i % 255) + 1)

test('a blob of version 0 has its length in the first share and none in the next', () => {
  const window = openWindow(0, 2)
  const { bytes: target } = window
  const data = makeBytes(479)
  writeBlob(window, 0, { namespace, data, shareVersion: 0 })
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
    const window = openWindow(0, 1)
    const data = makeBytes(36)
    writeBlob(window, 0, { namespace, data, shareVersion, signer })
    assert.equal(toHex(window.bytes.subarray(0, 90)), `${toHex(namespace)}${info}00000024${toHex(signer)}${toHex(data)}`)
  }
})

test('reserved bytes of a compact share tell where its first tx starts, or 0', () => {
  // First share full to the byte (2 + 472), so tx 2 starts at the head of share 1, fills share 2 and ends in share 3, where tx 3 starts.
  const units = [makeBytes(472), makeBytes(1000), makeBytes(5)]
  const total = 2 + 472 + 2 + 1000 + 1 + 5
  const shares = countCompactShares(total)
  assert.equal(shares, 4)
  const window = openWindow(0, shares)
  const { bytes: target } = window
  writeCompact(window, 0, TX_NAMESPACE, joinUnits(units))
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
  const window = openWindow(0, 1)
  writeCompact(window, 0, TX_NAMESPACE, joinUnits([]))
  assert.ok(window.bytes.every((byte) => byte === 0))
})

test('a padding share is the start of a sequence of length 0', () => {
  const window = openWindow(0, 3)
  const { bytes: target } = window
  writePadding(window, 1, 2, PRIMARY_PADDING_NAMESPACE, 1)
  assert.equal(toHex(target.subarray(512, 546)), `${toHex(PRIMARY_PADDING_NAMESPACE)}0300000000`)
  assert.ok(target.subarray(546).every((byte) => byte === 0))
})

test('a window gets its own shares alone, as far apart as it says', () => {
  const whole = openWindow(0, 6)
  const shared = new Uint8Array(new SharedArrayBuffer(2000))
  shared.set(makeBytes(2000))
  for (const data of [makeBytes(2000), shared]) {
    const blob = { namespace, data, shareVersion: 1, signer }
    writeBlob(whole, 1, blob)
    for (const [from, to] of [
      [0, 2],
      [2, 4],
      [3, 6],
    ] as const) {
      const window = openWindow(from, to, 516)
      writeBlob(window, 1, blob)
      for (let share = from; share < to; share++) {
        const at = (share - from) * 516
        assert.deepEqual(window.bytes.subarray(at, at + 512), whole.bytes.subarray(share * 512, (share + 1) * 512))
        assert.deepEqual(window.bytes.subarray(at + 512, at + 516), new Uint8Array(4))
      }
    }
  }
})
