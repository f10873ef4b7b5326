import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WireError, WireReader } from './protowire.ts'

function read(bytes: number[]): WireReader {
  const reader = new WireReader(Uint8Array.from(bytes))
  assert.ok(reader.next())
  return reader
}

test('64-bit varints are exact and 32-bit ones drop the higher bits', () => {
  const max = [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]
  assert.equal(read(max).uint64(), 18446744073709551615n)
  assert.equal(read(max).uint32(), 4294967295)
  assert.equal(read([0x08, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]).uint64(), 9007199254740993n)
  assert.equal(read([0x08, 0x81, 0x80, 0x80, 0x80, 0x10]).uint32(), 1)
  assert.equal(read([0x08, 0x80, 0x00]).uint64(), 0n)
})

test('values are views into the given bytes', () => {
  const bytes = Uint8Array.of(9, 0x0a, 2, 7, 8).subarray(1)
  const reader = new WireReader(bytes)
  assert.ok(reader.next())
  const value = reader.bytes()
  assert.deepEqual([...value], [7, 8])
  assert.equal(value.buffer, bytes.buffer)
  assert.equal(value.byteOffset, 3)
  assert.equal(reader.next(), false)
})

test('fields of every plain wire type can be skipped', () => {
  const reader = new WireReader(
    Uint8Array.of(0x08, 0x80, 0x01, 0x11, 1, 2, 3, 4, 5, 6, 7, 8, 0x1a, 1, 0, 0x25, 1, 2, 3, 4, 0x28, 5),
  )
  const fields: number[] = []
  while (reader.next()) {
    fields.push(reader.field)
    reader.skip()
  }
  assert.deepEqual(fields, [1, 2, 3, 4, 5])
})

test('field numbers up to the largest are read', () => {
  assert.equal(read([0xfa, 0xff, 0xff, 0xff, 0x0f, 0x00]).field, 536870911)
})

test('a nested message ends where its length says, not where the bytes do', () => {
  const inner = read([0x0a, 2, 0x08, 0x96, 0x01]).message()
  assert.ok(inner.next())
  assert.throws(() => inner.uint64(), WireError)
})

test('bytes that break the format end in a WireError', () => {
  const bad: [string, number[]][] = [
    ['field 0', [0x02, 0]],
    ['field number above 29 bits', [0xff, 0xff, 0xff, 0xff, 0x1f, 0]],
    ['tag cut off', [0x80]],
    ['length cut off', [0x0a]],
    ['length beyond the end', [0x0a, 5, 1]],
    ['length of 2^63', [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
    ['varint of eleven bytes', [0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]],
    ['varint above 64 bits', [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]],
    ['group', [0x0b, 0x0c]],
    ['fixed64 cut off', [0x09, 1]],
    ['fixed32 cut off', [0x0d, 1]],
  ]
  for (const [name, bytes] of bad) {
    const walk = () => {
      const reader = new WireReader(Uint8Array.from(bytes))
      while (reader.next()) reader.skip()
    }
    assert.throws(walk, WireError, name)
  }
})

test('a value of another wire type than asked for is refused', () => {
  assert.throws(() => read([0x08, 1]).bytes(), WireError)
  assert.throws(() => read([0x0a, 0]).uint64(), WireError)
})
