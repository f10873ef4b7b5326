import assert from 'node:assert/strict'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createKey } from '../../src/store/access/keys.ts'
import { openPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { freshDatabase } from '../support/database.ts'
import { openGuardedApi, SECRETS, type TestApi } from './guarded-api.ts'

const LIST = '/v1/tx?limit=1000000'
/** Blocks have 404 rows: five pages. */
const BLOCKS = '/v1/block?limit=1000000'

const plan = (name: string, settings: Record<string, number>) => ({ name, websocket_connections: 1, ...settings })

describe('what a long list costs', () => {
  let api: TestApi
  let port: number
  const keys: Record<string, string> = {}
  before(async () => {
    const url = await freshDatabase('devnet')
    const plans = [
      plan('free', { requests_per_second: 1000 }),
      plan('slow', { requests_per_second: 40, burst_seconds: 1 }),
      plan('frugal', { requests_per_second: 1000, daily_quota: 12 }),
      plan('metered', { requests_per_second: 1000 }),
    ]
    api = await openGuardedApi(url, { access: { plans } })
    const sql = openPool('access', { url, schema: SHARED_SCHEMA })
    for (const { name } of plans) keys[name] = (await createKey(sql, SECRETS, { role: 'client', plan: name, label: name })).text
    await sql.end()
    await api.service.parts.ring.refresh()
    await api.app.listen({ port: 0, host: '127.0.0.1' })
    port = (api.app.server.address() as AddressInfo).port
  })
  after(() => api.close())

  type Read = { rows: number; isWhole: boolean }
  const read = (path: string, name: string) =>
    new Promise<Read>((resolve, reject) => {
      const headers = { accept: 'application/x-ndjson', apikey: keys[name]! }
      get({ port, path, headers, agent: false }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => (text += chunk))
        answer.on('error', () => {})
        answer.on('close', () => resolve({ rows: text.split('\n').length - 1, isWhole: answer.complete }))
      }).on('error', reject)
    })

  test('a list that costs more than the plan has at once is sent as fast as the plan allows', async () => {
    // 33 pages for 2 + 32 points, twice: the bucket holds 40.
    for (let turn = 0; turn < 2; turn++) assert.deepEqual(await read(LIST, 'slow'), { rows: 3242, isWhole: true })
  })

  test('one that costs more than the plan has today breaks off, and nothing more is served', async () => {
    const { rows, isWhole } = await read(LIST, 'frugal')
    assert.equal(isWhole, false)
    assert.ok(rows >= 100 && rows <= 1200, `${rows} rows`)
    const { statusCode } = await api.app.inject({ url: '/v1/tx', headers: { apikey: keys.frugal! } })
    assert.equal(statusCode, 429)
  })

  test('every page is counted', async () => {
    assert.deepEqual(await read(BLOCKS, 'metered'), { rows: 404, isWhole: true })
    const headers = { apikey: keys.metered! }
    await api.service.parts.usage.flush()
    const usage = (await api.app.inject({ url: '/v1/usage', headers })).json() as { days: { points: number }[] }
    assert.equal(usage.days[0]!.points, 2 + 4)
  })
})
