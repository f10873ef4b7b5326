import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_NARROW_SHARDS, turnIntoParity, turnIntoWideParity } from './reed-solomon.ts'
import { interpolate, makeSlowField, readSymbol, writeSymbol } from './slow-field.case.ts'

const narrow = makeSlowField(8)
const wide = makeSlowField(16)

for (let count = 1; count <= MAX_NARROW_SHARDS; count *= 2) {
  test(`${count} data shards get the parity that interpolation gives`, () => {
    const bytes = new Uint8Array(count)
    for (let i = 0; i < count; i++) bytes[i] = (i * 89 + 201) ^ (i >> 2)
    const values = [...bytes].map((byte) => narrow.toField[byte]!)
    const points = values.map((_, i) => narrow.toField[count + i]!)
    turnIntoParity(bytes, 0, { count, shardSize: 1, stride: 1 })
    // A few positions are enough for the widest rows: every parity byte depends on every step.
    for (let x = 0; x < count; x += Math.max(1, count / 16)) {
      assert.equal(narrow.toField[bytes[x]!], interpolate(narrow, points, values, narrow.toField[x]!), `parity shard ${x}`)
    }
  })
}

for (const count of [1, 2, 4, 16, 256, 512]) {
  test(`${count} data shards of 16-bit symbols get the parity that interpolation gives`, () => {
    const [shardSize, symbol] = [128, 45]
    const bytes = new Uint8Array(count * shardSize)
    for (let i = 0; i < count; i++) writeSymbol(bytes, i * shardSize, symbol, (i * 40503 + 9001) & 0xffff)
    const values = Array.from({ length: count }, (_, i) => wide.toField[readSymbol(bytes, i * shardSize, symbol)]!)
    const points = values.map((_, i) => wide.toField[count + i]!)
    turnIntoWideParity(bytes, 0, { count, shardSize, stride: shardSize })
    for (let x = 0; x < count; x += Math.max(1, count / 8)) {
      const parity = readSymbol(bytes, x * shardSize, symbol)
      assert.equal(wide.toField[parity], interpolate(wide, points, values, wide.toField[x]!), `parity shard ${x}`)
    }
    for (let other = 0; other < shardSize / 2; other++) {
      if (other !== symbol) assert.equal(readSymbol(bytes, 0, other), 0, 'symbols do not touch each other')
    }
  })
}

test('rows of more than 128 shares use the 16-bit code, those of 128 the 8-bit one', () => {
  for (const [count, isWide] of [
    [128, false],
    [256, true],
  ] as const) {
    const lines = { count, shardSize: 64, stride: 64 }
    const bytes = Uint8Array.from({ length: 64 * count }, (_, i) => (i * 151) ^ (i >> 5))
    const wideBytes = bytes.slice()
    turnIntoParity(bytes, 0, lines)
    turnIntoWideParity(wideBytes, 0, lines)
    assert.equal(Buffer.compare(bytes, wideBytes) === 0, isWide, `${count} shards`)
  }
})

test('any half of a wide row gives the other half back', () => {
  const count = 256
  const row = Uint8Array.from({ length: 64 * 2 * count }, (_, i) => (i < 64 * count ? (i * 193) ^ (i >> 4) : 0))
  row.copyWithin(64 * count, 0, 64 * count)
  turnIntoParity(row, 64 * count, { count, shardSize: 64, stride: 64 })
  // Shard i of the row stands at point count + i, its parity shard x at point x.
  const pointOf = (shard: number) => wide.toField[shard < count ? count + shard : shard - count]!
  const symbolOf = (shard: number) => wide.toField[readSymbol(row, shard * 64, 7)]!
  const kept = Array.from({ length: count }, (_, i) => (i * 2 + (i % 3 === 0 ? 1 : 0)) % (2 * count))
  for (const lost of [...Array(2 * count).keys()].filter((shard) => !kept.includes(shard)).slice(0, 12)) {
    assert.equal(interpolate(wide, kept.map(pointOf), kept.map(symbolOf), pointOf(lost)), symbolOf(lost), `shard ${lost}`)
  }
})

test('shards that are apart are encoded byte by byte and nothing between them is touched', () => {
  const [count, shardSize, stride] = [4, 3, 5]
  const before = Uint8Array.from({ length: count * stride }, (_, i) => i * 31)
  const bytes = before.slice()
  turnIntoParity(bytes, 0, { count, shardSize, stride })
  for (let at = 0; at < stride; at++) {
    const single = Uint8Array.from({ length: count }, (_, i) => before[i * stride + at]!)
    if (at < shardSize) turnIntoParity(single, 0, { count, shardSize: 1, stride: 1 })
    for (let i = 0; i < count; i++) assert.equal(bytes[i * stride + at], single[i])
  }
})
