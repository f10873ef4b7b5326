import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capOf, type Line, measure } from './line.ts'

const line = (...values: number[]): Line => ({ name: 'value', points: values.map((value, at) => ({ at, value })) })

test('one value that hides the rest is cut off, a little above the highest of the rest', () => {
  // The genesis document mints all coins; each day after it adds a few.
  const supply = line(1_000_000, ...Array.from({ length: 29 }, (_, i) => 100 + i))
  assert.equal(capOf([supply]), 1.25 * 128)
})

test('values of the same order have room', () => {
  assert.equal(capOf([line(1, 2, 3, 4, 5, 6, 7, 8)]), undefined)
  assert.equal(capOf([line(10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 80)]), undefined, 'eight times as high')
  assert.equal(capOf([line(10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 81)]), 12.5)
})

test('nothing is cut off of few values, of zeros, or of a chart without values', () => {
  assert.equal(capOf([line(1, 1, 1000)]), undefined)
  assert.equal(capOf([line(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7)]), undefined)
  assert.equal(capOf([]), undefined)
})

test('many high values are no outliers', () => {
  assert.equal(capOf([line(1, 1, 1, 1, 1, 1, 1, 1, 100, 100)]), undefined)
})

test('values of all lines of a chart count', () => {
  const usual = line(...Array.from({ length: 10 }, () => 4))
  assert.equal(capOf([usual, line(...Array.from({ length: 9 }, () => 2), 400)]), 5)
})

test('a period is measured as a sum, a mean or its last value', () => {
  const { points } = line(3, 5, 10)
  assert.deepEqual([measure(points, 'sum'), measure(points, 'mean'), measure(points, 'last')], [18, 6, 10])
  assert.deepEqual([measure([], 'sum'), measure([], 'mean'), measure([], 'last')], [0, 0, 0])
})
