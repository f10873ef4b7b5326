import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Head } from '../store/read/head.ts'
import { BadRequest } from './errors.ts'
import { limitOffset } from './offset.ts'

const head = (total: number) =>
  ({ last_height: 0, total_tx: total, total_messages: 0, total_events: 0, total_blobs: 0, total_accounts: 0 }) as Head

test('an offset that an index can skip is left alone', () => {
  for (const offset of [0, 1, 999_999, 1_000_000]) {
    const query = { limit: 10, offset }
    assert.equal(limitOffset(query, head(5)), query)
  }
})

test('an offset beyond everything the chain has is an empty page', () => {
  for (const offset of [1_000_001, 2 ** 31, 2 ** 53 - 1])
    assert.deepEqual(limitOffset({ limit: 10, offset, sort: 'asc' }, head(1000)), { limit: 0, offset: 0, sort: 'asc' })
  assert.deepEqual(limitOffset({ limit: 10, offset: 2 ** 40 }, undefined), { limit: 0, offset: 0 })
})

test('a deep offset of a long chain is refused by name, and a cursor makes it meaningless', () => {
  assert.throws(
    () => limitOffset({ limit: 10, offset: 1_000_001 }, head(10_000_000)),
    (error) => error instanceof BadRequest && error.param === 'offset' && error.code === 'offset_too_deep',
  )
  const query = { limit: 10, offset: 1_000_001, cursor: 5 }
  assert.equal(limitOffset(query, head(10_000_000)), query)
})
