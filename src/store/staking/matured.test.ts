import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOf, takeMatured } from './matured.ts'

const entry = (id: number, second: number, amount: bigint, fraction = '000000') => ({
  id,
  amount,
  height: id,
  time: `2026-11-15T01:00:${second}.${fraction}Z`,
  completion_time: `2026-11-15T02:00:${second}.000000Z`,
})
const NOW = '2026-11-15T02:00:31.300000Z'
const idsOf = (entries: readonly { id: number }[]) => entries.map(({ id }) => id)

test('the sum that was paid tells which entries of the last second are over', () => {
  const entries = [entry(2, 31, 7n), entry(1, 30, 5n), entry(3, 40, 9n)]
  assert.deepEqual(idsOf(takeMatured(entries, NOW, 5n)), [1])
  assert.deepEqual(idsOf(takeMatured(entries, NOW, 12n)), [1, 2])
})

test('a sum that fits nothing ends all whose second has come', () => {
  assert.deepEqual(idsOf(takeMatured([entry(1, 30, 5n), entry(2, 31, 7n)], NOW, 6n)), [1, 2])
})

test('when nothing was paid only entries that slashes have emptied are over', () => {
  assert.deepEqual(idsOf(takeMatured([entry(1, 31, 5n)], NOW, 0n)), [])
  assert.deepEqual(idsOf(takeMatured([entry(1, 30, 0n), entry(2, 31, 5n)], NOW, 0n)), [1])
})

test('an entry without anything left stays until the fraction of its second has come', () => {
  const entries = [entry(1, 30, 5n), entry(2, 31, 0n, '200000'), entry(3, 31, 0n, '400000')]
  assert.deepEqual(idsOf(takeMatured(entries, NOW, 5n)), [1, 2])
})

test('of two entries of one second the one that began earlier in it ends first', () => {
  const entries = [entry(1, 31, 5n, '250000'), entry(2, 31, 7n, '100000')]
  assert.deepEqual(idsOf(takeMatured(entries, NOW, 7n)), [2])
})

test('an entry ends with the fraction of a second in which it began, unless it states its own', () => {
  const [began, whole] = [{ height: 9, time: '2026-11-15T01:00:31.700000Z' }, '2026-11-15T02:00:31.000000Z']
  assert.equal(endOf({ ...began, completion_time: whole }), '2026-11-15T02:00:31.700000Z')
  assert.equal(endOf({ ...began, completion_time: '2026-11-15T02:00:31.250000Z' }), '2026-11-15T02:00:31.250000Z')
  const before = { begin_height: 8, begin_time: '2026-11-15T01:00:29.100000Z' }
  assert.equal(endOf({ ...began, ...before, completion_time: whole }), '2026-11-15T02:00:31.100000Z')
})
