import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addNanos } from './add-nanos.ts'

test('a period is added without losing microseconds', () => {
  assert.equal(addNanos('2026-11-15T02:27:34.516785Z', 30_000_000_000n), '2026-11-15T02:28:04.516785Z')
  assert.equal(addNanos('2026-11-15T23:59:59.999999Z', 1_000n), '2026-11-16T00:00:00.000000Z')
  assert.equal(addNanos('2026-11-15T02:27:34Z', 0n), '2026-11-15T02:27:34.000000Z')
})

test('a period beyond all calendars ends in the year 9999', () => {
  assert.equal(addNanos('2026-11-15T02:27:34.516785Z', 10n ** 30n), '9999-12-31T23:59:59.999999Z')
})
