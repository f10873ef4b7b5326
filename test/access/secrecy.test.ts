import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createLog } from '../../src/observability/log.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import { createAccessEvents, createAccessTrouble } from '../../src/observability/observers.ts'
import { createRequestReporter, observeRequests } from '../../src/observability/requests.ts'
import { buildOperatorApi } from '../../src/operator/server.ts'
import { KeyRing } from '../../src/store/access/key-ring.ts'
import { checksumOf, makeKeyText } from '../../src/store/access/key-text.ts'
import { createKey } from '../../src/store/access/keys.ts'
import { openPool, openReader, type SqlPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { freshDatabase } from '../support/database.ts'
import { SCHEMA } from '../support/templates.ts'
import { openGuardedApi, openManager, SECRETS } from './guarded-api.ts'

describe('keys are secrets', () => {
  let url: string
  let sql: SqlPool
  before(async () => {
    url = await freshDatabase('devnet')
    sql = openPool('access', { url, schema: SHARED_SCHEMA })
  })
  after(() => sql.end())

  test('no key that was used stands in logs, answers, metrics or the database', async () => {
    const seen: string[] = []
    const log = createLog('trace', { write: (line: string) => void seen.push(line) })
    const metrics = createMetrics({ version: '', commit: '' })
    const [client, admin] = await Promise.all([
      createKey(sql, SECRETS, { role: 'client', plan: 'small', label: 'client' }),
      createKey(sql, SECRETS, { role: 'admin', plan: 'small', label: 'admin' }),
    ])
    const wrong = makeKeyText('live').text
    const keys = [client.text, admin.text, wrong]
    const trouble = createAccessTrouble(metrics, log)
    const { app, service, close } = await openGuardedApi(url, {
      events: createAccessEvents(metrics),
      onTrouble: (what, error) => trouble(what as 'keys', error),
    })
    observeRequests(app, { metrics, network: 'main', log })
    const report = createRequestReporter({ metrics, network: 'main', log })
    const ring = new KeyRing(sql, SECRETS)
    await ring.refresh()
    const db = openReader({ url, schema: SCHEMA, max: 1 })
    const operator = buildOperatorApi({
      networks: [{ name: 'main', url, schema: SCHEMA, db }],
      ring,
      accounts: openManager(sql),
      sql,
      onAction: (facts) => log.info(facts, 'operator'),
      onError: report,
    })
    for (const key of keys) {
      for (const apikey of [key, `${key} `, `${key}x`, `${key}, ${key}`]) {
        const requests = [
          { url: '/v1/head', headers: { apikey } },
          { url: `/v1/head?apikey=${encodeURIComponent(apikey)}` },
          { url: `/v1/tx/${encodeURIComponent(apikey)}`, headers: { apikey } },
          { url: `/v1/search?query=${encodeURIComponent(apikey)}` },
          { url: `/v1/usage`, headers: { apikey } },
          { url: `/${encodeURIComponent(apikey)}`, headers: { 'x-request-id': 'mine', authorization: `Bearer ${apikey}` } },
          {
            method: 'POST' as const,
            url: '/v1/blob',
            headers: { 'content-type': 'application/json' },
            payload: { hash: apikey },
          },
        ]
        for (const request of requests) {
          const { headers, payload } = await app.inject({ ...request, remoteAddress: `10.0.${keys.indexOf(key)}.1` })
          seen.push(JSON.stringify(headers), payload)
        }
        const answer = await operator.inject({
          method: 'POST',
          url: '/v1/auth/rollup/new',
          headers: { authorization: `Bearer ${apikey}` },
          payload: { name: 'x' },
        })
        seen.push(JSON.stringify(answer.headers), answer.payload)
      }
    }
    // Errors of the database may hold whatever was asked of it.
    await service.sql`select 1/0, ${client.text}::text`.catch((error: unknown) => report(error, { requestId: '', route: '/x' }))
    await service.parts.usage.flush()
    seen.push(await metrics.registry.metrics(), await dumpOf(url))
    await close()
    await operator.close()
    await db.end()
    const text = seen.join('\n')
    assert.ok(text.includes(client.id), 'keys are named by their ids')
    assert.match(text, /idx_auth_failures_total\{reason="unknown"\}/)
    for (const key of keys)
      for (const part of [key, key.slice(11, 43)]) assert.ok(!text.includes(part), `a key is in clear: ${around(text, part)}`)
  })

  test('how near a wrong key is to a right one cannot be measured', async () => {
    const { text: right } = await createKey(sql, SECRETS, { role: 'client', plan: 'small', label: 'near' })
    const ring = new KeyRing(sql, SECRETS)
    await ring.refresh()
    // Almost right: all but the last characters of the secret, with a checksum that fits.
    const near = Array.from({ length: 200 }, () => asReceived(makeNear(right)))
    const random = Array.from({ length: 200 }, () => asReceived(makeKeyText('live').text))
    // A difference that is really there shows in every round; one that the machine made does not.
    const found: number[] = []
    do found.push(measure(ring, near, random))
    while (Math.abs(found.at(-1)!) >= SIGNIFICANT && found.length < 3)
    assert.ok(Math.abs(found.at(-1)!) < SIGNIFICANT, `t = ${found.map((t) => t.toFixed(2)).join(', ')}`)
  })
})

const SIGNIFICANT = 4.5

/** How surely the time for one kind of key differs from that for the other, over ten thousand of each. */
function measure(ring: KeyRing, near: string[], random: string[]): number {
  const times: Record<'near' | 'random', number[]> = { near: [], random: [] }
  for (let i = 0; i < 12_000; i++) {
    // Which comes first changes: whatever else the machine does hits both alike.
    const order = i % 2 ? (['near', 'random'] as const) : (['random', 'near'] as const)
    for (const kind of order) {
      const key = (kind === 'near' ? near : random)[i % 200]!
      const startedAt = process.hrtime.bigint()
      const answer = ring.find(key)
      const elapsed = Number(process.hrtime.bigint() - startedAt)
      assert.equal(answer, 'unknown')
      if (i >= 2000) times[kind].push(elapsed)
    }
  }
  return welch(cropped(times.near), cropped(times.random))
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The right key with the last three characters of its secret changed, and a checksum that fits. */
function makeNear(right: string): string {
  const ending = Array.from({ length: 3 }, () => BASE62[Math.floor(Math.random() * BASE62.length)]).join('')
  const text = right.slice(0, -9) + ending
  return text + checksumOf(text)
}

/** A text of one piece, as it comes from a socket; a joined one is slower to read. */
const asReceived = (text: string) => Buffer.from(text).toString('latin1')

/** Without the slowest tenth, which is the machine's. */
function cropped(times: number[]): number[] {
  return times.toSorted((a, b) => a - b).slice(0, Math.floor(times.length * 0.9))
}

/** Welch's t: how surely two means differ. */
function welch(a: number[], b: number[]): number {
  const [meanA, varianceA] = moments(a)
  const [meanB, varianceB] = moments(b)
  return (meanA - meanB) / Math.sqrt(varianceA / a.length + varianceB / b.length)
}

function moments(values: number[]): [mean: number, variance: number] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return [mean, values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)]
}

/** Every row of every table that keys could be in. */
async function dumpOf(url: string): Promise<string> {
  const pool = new pg.Client({ connectionString: url })
  await pool.connect()
  try {
    const { rows: tables } = await pool.query<{ name: string }>('select tablename as name from pg_tables where schemaname = $1', [
      SHARED_SCHEMA,
    ])
    const parts: string[] = []
    for (const { name } of tables) {
      const { rows } = await pool.query<{ row: string }>(`select t::text as row from "${SHARED_SCHEMA}"."${name}" t`)
      parts.push(...rows.map(({ row }) => row))
    }
    return parts.join('\n')
  } finally {
    await pool.end()
  }
}

function around(text: string, part: string): string {
  const at = text.indexOf(part)
  return text.slice(Math.max(0, at - 200), at + 80)
}
