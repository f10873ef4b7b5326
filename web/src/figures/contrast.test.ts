import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrastOf, textOn } from './contrast.ts'

test('contrast is that of WCAG', () => {
  assert.equal(contrastOf('#000000', '#ffffff').toFixed(2), '21.00')
  assert.equal(contrastOf('#ffffff', '#767676').toFixed(2), '4.54')
  assert.equal(contrastOf('#123456', '#123456'), 1)
})

test('letters can be read on every registered colour', () => {
  assert.equal(textOn('#ffd400'), '#000000')
  assert.equal(textOn('#10204f'), '#ffffff')
  for (let step = 0; step < 4096; step++) {
    const colour = `#${[step >> 8, (step >> 4) & 15, step & 15].map((part) => part.toString(16).repeat(2)).join('')}`
    assert.ok(contrastOf(colour, textOn(colour)) >= 4.5, colour)
  }
})
