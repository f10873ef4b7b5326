import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freeLargeMemory, freeMemory } from './free-memory.ts'

test('memory that is given back is gone at once; a small piece is left to the collector where size decides', () => {
  const [small, large] = [new ArrayBuffer(1000), new ArrayBuffer(2 ** 20)]
  freeLargeMemory(small)
  freeLargeMemory(large)
  assert.deepEqual([small.byteLength, large.byteLength], [1000, 0])
  freeMemory(small)
  assert.equal(small.byteLength, 0)
})
