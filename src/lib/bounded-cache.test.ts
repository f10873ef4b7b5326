import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedCache } from './bounded-cache.ts'

test('values that are used stay, the others go, and never more than the limit is kept', () => {
  const cache = new BoundedCache<number, string>(100, (value) => value.length)
  for (let key = 0; key < 50; key++) {
    cache.set(key, 'x'.repeat(10))
    assert.ok(cache.get(0), `the value in use is gone after ${key}`)
  }
  const kept = Array.from({ length: 50 }, (_, key) => key).filter((key) => cache.get(key) !== undefined)
  assert.ok(kept.length <= 10, `${kept.length} values of 10 are kept within 100`)
  assert.ok(kept.includes(49))
})

test('one that is larger than the limit is kept as long as it is the newest', () => {
  const cache = new BoundedCache<string, number>(10, (size) => size)
  cache.set('large', 1000)
  assert.equal(cache.get('large'), 1000)
  cache.set('next', 1)
  cache.set('after', 10)
  assert.equal(cache.get('large'), undefined)
})

test('entries are counted where nothing else is', () => {
  const cache = new BoundedCache<string, boolean>(4)
  for (const key of ['a', 'b', 'c', 'd', 'e']) cache.set(key, false)
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e'].map((key) => cache.get(key)),
    [undefined, undefined, false, false, false],
  )
  cache.clear()
  assert.equal(cache.get('e'), undefined)
})
