import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeParity, MAX_DATA_SHARDS } from './reed-solomon.ts'

/** The code by its definition: Lagrange interpolation over GF(256), with bytes taken to field elements and back. */
const CANTOR_BASIS = [1, 214, 152, 146, 86, 200, 88, 230]
const toField = Array.from({ length: 256 }, (_, byte) =>
  CANTOR_BASIS.reduce((sum, basis, bit) => (byte & (1 << bit) ? sum ^ basis : sum), 0),
)

function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product & 0x80 ? 0x11d : 0)
    if (b & (1 << bit)) product ^= a
  }
  return product
}

const inverses = Array.from({ length: 256 }, (_, a) => toField.find((b) => multiply(a, b) === 1) ?? 0)

function interpolate(points: number[], values: number[], at: number): number {
  let sum = 0
  for (const [i, point] of points.entries()) {
    let term = values[i]!
    for (const [j, other] of points.entries()) {
      if (j !== i) term = multiply(term, multiply(at ^ other, inverses[point ^ other]!))
    }
    sum ^= term
  }
  return sum
}

for (let count = 1; count <= MAX_DATA_SHARDS; count *= 2) {
  test(`${count} data shards get the parity that interpolation gives`, () => {
    const bytes = new Uint8Array(2 * count)
    for (let i = 0; i < count; i++) bytes[i] = (i * 89 + 201) ^ (i >> 2)
    const values = [...bytes.subarray(0, count)].map((byte) => toField[byte]!)
    const points = values.map((_, i) => toField[count + i]!)
    encodeParity(bytes, 0, count, { count, shardSize: 1, stride: 1 })
    // A few positions are enough for the widest rows: every parity byte depends on every step.
    for (let x = 0; x < count; x += Math.max(1, count / 16)) {
      assert.equal(toField[bytes[count + x]!], interpolate(points, values, toField[x]!), `parity shard ${x}`)
    }
  })
}

test('shards that are apart are encoded byte by byte and nothing between them is touched', () => {
  const [count, shardSize, stride] = [4, 3, 5]
  const bytes = new Uint8Array(2 * count * stride).fill(77)
  for (let i = 0; i < count * stride; i++) bytes[i] = i * 31
  const before = bytes.slice()
  encodeParity(bytes, 0, count * stride, { count, shardSize, stride })
  for (let at = 0; at < shardSize; at++) {
    const single = new Uint8Array(2 * count)
    for (let i = 0; i < count; i++) single[i] = before[i * stride + at]!
    encodeParity(single, 0, count, { count, shardSize: 1, stride: 1 })
    for (let i = 0; i < count; i++) assert.equal(bytes[(count + i) * stride + at], single[count + i])
  }
  assert.deepEqual(bytes.subarray(0, count * stride), before.subarray(0, count * stride))
  for (let i = 0; i < count; i++)
    assert.deepEqual([...bytes.subarray((count + i) * stride + shardSize, (count + i + 1) * stride)], [77, 77])
})
