import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../../src/api/testing.ts'
import { HOSTILE, type Operation, random, readOperations, urlOf } from './hostile-values.ts'

/**
 * Every parameter of every operation in the description gets values from a hostile corpus, and every value that the description
 * allows. SEED picks the part of the corpus; a seed that found something is added to SEEDS and stays.
 */
const SEEDS = [1, ...(process.env.SEED ? [Number(process.env.SEED)] : [])]
const VALUES_PER_PARAMETER = 12

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

  async function ask(url: string): Promise<{ status: number; param: string | undefined }> {
    const started = performance.now()
    const { status, headers, text } = await api.get(url)
    const what = `${url.slice(0, 200)} → ${status} ${text.slice(0, 200)}`
    assert.ok([200, 204, 400, 404, 414].includes(status), `${what} ${String(api.failures.at(-1))}`)
    assert.ok(performance.now() - started < 5000, `slow: ${what}`)
    assert.equal(headers['x-injected'], undefined, what)
    if (status >= 400) {
      assert.equal(headers['content-type'], 'application/json', what)
      assert.doesNotMatch(text, /[<>]|syntax|SELECT|postgres|at \w+ \(/, what)
    }
    return { status, param: status === 400 && text ? (JSON.parse(text) as { param?: string }).param : undefined }
  }

  for (const seed of SEEDS)
    test(`hostile values are answered or refused by name, never 5xx (SEED=${seed})`, async () => {
      const next = random(seed)
      let refused = 0
      for (const operation of operations)
        for (const { name, in: place } of operation.parameters)
          for (let i = 0; i < VALUES_PER_PARAMETER; i++) {
            const value = HOSTILE[Math.floor(next() * HOSTILE.length)]!
            const { status, param } = await ask(urlOf(operation, name, value))
            if (status !== 400) continue
            refused++
            // Without the segment it is the path of another operation.
            if (param === undefined || (place === 'path' && ['', '.', '..'].includes(value))) continue
            assert.ok(operation.parameters.some((one) => one.name === param) || param === 'body', urlOf(operation, name, value))
          }
      assert.ok(refused > 1000)
    })

  test('every word, flag and bound that the description allows is taken', async () => {
    for (const operation of operations)
      for (const { name, in: place, schema } of operation.parameters) {
        const { enum: words, type, minimum, maximum } = schema.items ?? schema
        const values = words
          ? words.map(String)
          : type === 'boolean'
            ? ['true', 'false', 't', '0']
            : type === 'integer'
              ? [minimum ?? 0, maximum ?? Number.MAX_SAFE_INTEGER].map(writeBound)
              : []
        for (const value of values.slice(0, 120)) {
          const { status, param } = await ask(urlOf(operation, name, value))
          // A pair of values may be refused (a function that a column has not), a single one may not.
          if (place === 'query') assert.ok(status === 200 || status === 204 || param !== name, urlOf(operation, name, value))
        }
      }
  })

  test('repeated, reordered and unknown keys change nothing', async () => {
    for (const operation of operations) {
      const limit = operation.parameters.find(({ name }) => name === 'limit')
      if (!limit) continue
      const plain = await api.get(urlOf(operation, 'limit', '3'))
      for (const more of ['&limit=5', '&LIMIT=x', '&unknown=%00', '&limit[]=9', '&__proto__[limit]=1'])
        assert.equal((await api.get(urlOf(operation, 'limit', '3') + more)).text, plain.text, operation.path + more)
    }
  })
})
