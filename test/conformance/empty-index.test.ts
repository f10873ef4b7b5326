import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../../src/api/testing.ts'
import { freshDatabase } from '../support/database.ts'

type Parameter = { name: string; in: string; schema: { type?: string; enum?: string[] } }
type Description = { info: { title: string }; paths: Record<string, { get?: { parameters?: Parameter[] } }> }

const ADDRESS = 'celestia1w4dvevy0zm70yss42h4k597at605fn388cmm78'
const NAMESPACE = Buffer.alloc(29).toString('base64')

/** Values of queries that have to be given. */
const QUERIES: Record<string, string> = {
  '/v1/search': '?query=1',
  '/v1/gas/estimate_for_pfb': '?sizes=12',
  '/v1/blob/proof': `?hash=${encodeURIComponent(NAMESPACE)}&height=1&commitment=${encodeURIComponent(Buffer.alloc(32).toString('base64'))}`,
  '/v1/stats/series': '?timeframe=day',
  '/v1/stats/summary/{table}/{function}': '?column=height',
  '/v1/rollup/group': '?func=sum&column=type',
}

function fill(path: string, parameters: Parameter[]): string {
  const values: Record<string, string> = {
    hash: path.includes('/address/') ? ADDRESS : path.includes('/namespace') ? NAMESPACE : 'ab'.repeat(32),
    ...(path.includes('/namespace/') ? { id: '00'.repeat(28) } : {}),
    function: 'min',
  }
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema
    return values[name] ?? schema?.enum?.[0] ?? (schema?.type === 'integer' ? '1' : 'ab'.repeat(32))
  })
}

describe('before the first block', () => {
  let api: TestApi
  let paths: [string, Parameter[]][]
  before(async () => {
    api = await openTestApi({ url: await freshDatabase('empty') })
    const description: Description = (await api.get('/openapi.json')).json()
    paths = Object.entries(description.paths).flatMap(([path, { get }]) => (get ? [[path, get.parameters ?? []]] : []))
  })
  after(() => api.close())

  test('counters, the head and what needs constants are 204', async () => {
    const names = ['head', 'constants', 'block/count', 'tx/count', 'address/count', 'validators/count']
    for (const name of [...names, 'gas/estimate_for_pfb?sizes=12']) assert.equal((await api.get(`/v1/${name}`)).status, 204, name)
    assert.equal((await api.get('/v1/rollup/count')).text, '0\n')
  })

  test('no path fails, and only lists of unknown accounts and blobs are refused', async () => {
    assert.ok(paths.length > 100)
    for (const [path, parameters] of paths) {
      const { status, text } = await api.get(fill(path, parameters) + (QUERIES[path] ?? ''))
      const message = status === 400 ? (JSON.parse(text) as { message: string }).message : 'not refused'
      assert.ok(
        status === 200 || status === 204 || /unknown address$|^blob: not found$/.test(message),
        `${path}: ${status} ${text}`,
      )
    }
    assert.deepEqual(api.failures, [])
  })

  test('the description is called after the network as long as the chain is unknown', async () => {
    const { info }: Description = (await api.get('/openapi.json')).json()
    assert.equal(info.title, 'Astrolabe: main')
  })
})
