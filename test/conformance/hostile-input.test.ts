import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../../src/api/testing.ts'
import { fewOf } from '../support/long-test.ts'
import { askAnything, fuzzQueries } from './hostile-queries.ts'
import { type Operation, readOperations, urlOf } from './hostile-values.ts'

/**
 * Every parameter of every operation in the description gets values from a hostile corpus, and every value that the description
 * allows. SEED picks the part of the corpus; a seed that found something is added to SEEDS and stays.
 */
const SEEDS = [1, ...(process.env.SEED ? [Number(process.env.SEED)] : [])]
const VALUES_PER_PARAMETER = 1

/** The description holds the largest 64-bit number, which is rounded when it is read here. */
const writeBound = (bound: number) => (bound === 2 ** 63 ? String(2n ** 63n - 1n) : String(bound))

describe('every parameter of the key surface', () => {
  let api: TestApi
  let operations: Operation[]
  before(async () => {
    // Kept answers would hide what the routes do.
    api = await openTestApi({ cacheBytes: 0 })
    operations = readOperations((await api.get('/openapi.json')).json())
  })
  after(() => api.close())

  for (const seed of SEEDS)
    test(`hostile values are answered or refused by name, never 5xx (SEED=${seed})`, async () => {
      const { refused } = await fuzzQueries(api, operations, { seed, each: VALUES_PER_PARAMETER })
      assert.ok(refused > 80, `${refused} refused`)
    })

  test('every word, flag and bound that the description allows is taken', async () => {
    for (const operation of fewOf(operations, 30))
      for (const { name, in: place, schema } of operation.parameters) {
        const { enum: words, type, minimum, maximum } = schema.items ?? schema
        const values = words
          ? words.map(String)
          : type === 'boolean'
            ? ['true', 'false', 't', '0']
            : type === 'integer'
              ? [minimum ?? 0, maximum ?? Number.MAX_SAFE_INTEGER].map(writeBound)
              : []
        for (const value of values.slice(0, 6)) {
          const { status, param } = await askAnything(api, urlOf(operation, name, value))
          // A pair of values may be refused (a function that a column has not), a single one may not.
          if (place === 'query') assert.ok(status === 200 || status === 204 || param !== name, urlOf(operation, name, value))
        }
      }
  })

  test('repeated, reordered and unknown keys change nothing', async () => {
    for (const operation of fewOf(operations, 30)) {
      const limit = operation.parameters.find(({ name }) => name === 'limit')
      if (!limit) continue
      const plain = await api.get(urlOf(operation, 'limit', '3'))
      for (const more of ['&limit=5', '&LIMIT=x', '&unknown=%00', '&limit[]=9', '&__proto__[limit]=1'])
        assert.equal((await api.get(urlOf(operation, 'limit', '3') + more)).text, plain.text, operation.path + more)
    }
  })
})
