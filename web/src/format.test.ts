import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAge, formatBareAge } from './format.ts'

const DAY = 86_400_000

test('a time in the past is an age, one in the future lies ahead', () => {
  assert.equal(formatAge(0), 'just now')
  assert.equal(formatAge(999), 'just now')
  assert.equal(formatAge(42_000), '42 s ago')
  assert.equal(formatAge(3 * DAY), '3 d ago')
  assert.equal(formatAge(-DAY * 2), 'in 2 d')
  assert.equal(formatAge(-3_600_000), 'in 1 h')
})

test('a clock that is a moment behind the chain makes no block of the future', () => {
  assert.equal(formatAge(-1), 'just now')
  assert.equal(formatAge(-999), 'just now')
  assert.equal(formatAge(-1000), 'in 1 s')
})

test('under a heading that says age, a time ahead is still told apart', () => {
  assert.equal(formatBareAge(90_000), '1 min')
  assert.equal(formatBareAge(-500), '0 s')
  assert.equal(formatBareAge(-21 * DAY), 'in 21 d')
})
