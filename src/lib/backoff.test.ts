import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeBackoff } from './backoff.ts'

const range = { minMs: 200, maxMs: 30_000 }

test('the wait grows with the failures and stays in its range', () => {
  assert.equal(
    computeBackoff(1, () => 0, range),
    200,
  )
  assert.equal(
    computeBackoff(1, () => 0.5, range),
    300,
  )
  assert.equal(computeBackoff(4, () => 0.999999999, range).toFixed(0), '3200')
  assert.equal(computeBackoff(1000, () => 0.999999999, range).toFixed(0), '30000')
})
