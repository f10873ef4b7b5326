import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postingTimes } from './posting-times.ts'

test('every hour of the day has a row, also those without blobs', () => {
  const rows = postingTimes(
    [
      { name: '3', value: '1024' },
      { name: '22', value: '7' },
    ],
    'hour',
  )
  assert.equal(rows.length, 24)
  assert.deepEqual(rows[3], { name: '03:00', value: 1024 })
  assert.deepEqual(rows[4], { name: '04:00', value: 0 })
  assert.deepEqual(rows[22], { name: '22:00', value: 7 })
})

test('every weekday has a row, Monday first', () => {
  const rows = postingTimes([{ name: 'Wednesday', value: '5' }], 'day')
  assert.deepEqual(
    rows.map(({ name, value }) => [name.slice(0, 2), value]),
    [
      ['Mo', 0],
      ['Tu', 0],
      ['We', 5],
      ['Th', 0],
      ['Fr', 0],
      ['Sa', 0],
      ['Su', 0],
    ],
  )
})
