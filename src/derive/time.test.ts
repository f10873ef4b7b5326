import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutToMicros, fromUnixNanos, parseTime, toTime } from './time.ts'

test('nanoseconds are cut to microseconds, never rounded', () => {
  assert.equal(cutToMicros('2026-11-15T02:25:24.033799999Z'), '2026-11-15T02:25:24.033799Z')
  assert.equal(cutToMicros('2026-11-15T02:25:24Z'), '2026-11-15T02:25:24Z')
  assert.equal(cutToMicros('2026-11-15T02:25:24.03Z'), '2026-11-15T02:25:24.03Z')
})

test('the zero time of the chain means that no time is set', () => {
  assert.equal(parseTime('0001-01-01T00:00:00Z'), undefined)
  assert.equal(parseTime('soon'), undefined)
})

test('times outside of the calendar have no text', () => {
  assert.equal(toTime(2n ** 62n), undefined)
  assert.equal(fromUnixNanos(0n), undefined)
  assert.equal(fromUnixNanos(1_794_716_890_311_562_045n), '2026-11-15T04:28:10.311562Z')
})
