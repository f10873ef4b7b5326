import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApi } from '../../src/api/testing.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { fuzzQueries } from './hostile-queries.ts'
import { readOperations } from './hostile-values.ts'

/** The campaign of `hostile-input.test.ts`: another seed each time, unless SEED names one. */
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const CASES = Number(process.env.CASES ?? 20_000)

test(`${CASES} hostile queries are answered or refused by name, never 5xx (SEED=${SEED})`, async () => {
  const api = await openTestApi({ cacheBytes: 0 })
  closeAfterwards(() => api.close())
  const operations = readOperations((await api.get('/openapi.json')).json())
  const parameters = operations.reduce((sum, operation) => sum + operation.parameters.length, 0)
  const count = await fuzzQueries(api, operations, { seed: SEED, each: Math.ceil(CASES / parameters) })
  console.log(`SEED=${SEED}: ${count.asked} queries, ${count.refused} refused`)
  assert.ok(count.asked >= CASES)
})
