import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatFloat } from './format.ts'

test('floats are as short as possible, with an exponent from a million up and below a ten-thousandth', () => {
  assert.deepEqual(
    [0, 24.216524216524217, 1692.3663366336634, 270392.8980526919, 999999.5, 1_500_000, 1e6, 0.0001, 0.00002, -3e-7, 1.25e21].map(
      formatFloat,
    ),
    [
      '0',
      '24.216524216524217',
      '1692.3663366336634',
      '270392.8980526919',
      '999999.5',
      '1.5E+06',
      '1E+06',
      '0.0001',
      '2E-05',
      '-3E-07',
      '1.25E+21',
    ],
  )
})
