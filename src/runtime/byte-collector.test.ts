import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteCollector } from './byte-collector.ts'

const piece = (i: number, length: number) => Buffer.alloc(length, `piece ${i} `)

test('pieces of any size come back as one, in memory that nothing else uses', () => {
  for (const lengths of [[], [0], [7], [700_000, 700_000, 3], [3_000_000, 1, 64 * 1024, 2 ** 20], Array(100).fill(65_536)]) {
    const pieces = lengths.map((length: number, i: number) => piece(i, length))
    const collector = new ByteCollector()
    for (const each of pieces) collector.add(each)
    const expected = Buffer.concat(pieces)
    assert.equal(collector.size, expected.length)
    const taken = collector.take()
    assert.ok(taken.equals(expected))
    assert.equal(taken.buffer.byteLength, expected.length)
    assert.ok(pieces.every((each, i) => each.equals(piece(i, each.length))))
  }
})

test('what was taken or dropped is not given again', () => {
  const collector = new ByteCollector()
  collector.add(piece(1, 3_000_000))
  collector.drop()
  assert.equal(collector.size, 0)
  collector.add(piece(2, 2_000_000))
  assert.equal(collector.take().length, 2_000_000)
  assert.equal(collector.take().length, 0)
})
