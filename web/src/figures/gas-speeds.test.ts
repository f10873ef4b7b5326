import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remarkOf } from './gas-speeds.ts'

test('a price above the floor is what was paid', () => {
  assert.equal(remarkOf('slow', '0.004917'), 'a tenth of the gas paid less')
  assert.equal(remarkOf('median', '0.02'), 'half of the gas paid less')
})

test('where the floor applies it is said, and nobody is said to have paid less', () => {
  for (const field of ['slow', 'median', 'fast'] as const) {
    assert.match(remarkOf(field, '0.004000'), /floor/)
    assert.doesNotMatch(remarkOf(field, '0.004000'), /paid less/)
  }
})
