import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { Invariant } from '../../src/lib/errors.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { IndexerObserver } from '../../src/observability/indexer-observer.ts'
import { createLog } from '../../src/observability/log.ts'
import { createMetrics, type Metrics } from '../../src/observability/metrics.ts'
import { NetworkHealth } from '../../src/observability/network-health.ts'
import { OffchainAges } from '../../src/observability/observers.ts'
import { observeRequests } from '../../src/observability/requests.ts'
import type { CheckResult } from '../../src/observability/server.ts'
import { type ObservabilityService, startObservability } from '../../src/observability/start.ts'
import { createPayMetrics } from '../../src/pay/metrics.ts'
import { type Db, openReader } from '../../src/store/db.ts'
import { findHead } from '../../src/store/read/head/head.ts'
import { freshDatabase } from '../support/database.ts'
import { SCHEMA } from '../support/templates.ts'
import { openWriterSql } from '../support/writer-sql.ts'
import { openGuardedApi } from './guarded-api.ts'

/** Only blocks at the tip of a run are compared with their data roots in it; nothing compared the others of this index afterwards. */
const VERIFIED = 10

/** Names that dashboards and alerts rely on. */
const NAMES =
  `head_height node_head_height lag_blocks lag_seconds head_age_seconds chain_still last_commit_timestamp_seconds status blocks_committed_total
  stage_duration_seconds block_bytes rollbacks_total rollback_depth_blocks node_requests_total node_request_duration_seconds
  node_quarantined unknown_messages_total decode_failures_total invariant_violations_total writer_lock_held
  http_request_duration_seconds http_active_requests db_pool db_pool_wait_seconds db_query_timeouts_total rate_limited_total
  auth_failures_total ws_connections ws_subscriptions ws_sent_total ws_closed_total ws_publish_delay_seconds pay_challenges_total
  pay_credentials_total pay_settle_duration_seconds pay_undelivered offchain_age_seconds build_info`
    .split(/\s+/)
    .map((name) => `idx_${name}`)

describe('health and metrics', () => {
  let url: string
  let db: Db
  let metrics: Metrics
  let service: ObservabilityService
  let now = Date.now()
  const log = createLog('silent')
  before(async () => {
    url = await freshDatabase('devnet')
    db = openReader({ url, schema: SCHEMA, max: 2 })
    metrics = createMetrics({ version: '1.2.3', commit: 'abc' })
    createPayMetrics(metrics.registry)
    const health = new NetworkHealth({ name: 'main', db, isIndexer: true, isLive: false, maxLagSeconds: 60, now: () => now })
    service = await startObservability({
      listen: { host: '127.0.0.1', port: 0 },
      metrics,
      networks: [{ name: 'main', db, health }],
      dataFolder: packagePath(),
    })
  })
  after(async () => {
    await service.close()
    await db.end()
  })

  const get = async (path: string, init?: RequestInit) => {
    const response = await fetch(service.url + path, init)
    return { status: response.status, text: await response.text() }
  }
  const ready = async () => {
    const { status, text } = await get('/readyz')
    return { status, checks: (JSON.parse(text) as { checks: Record<string, Record<string, unknown>> }).checks }
  }
  const setSource = async (height: number, time: string, seenAt: Date) => {
    const sql = openWriterSql(url, SCHEMA)
    await sql`delete from source_head`
    await sql`insert into source_head (height, time, seen_at) values (${height}, ${time}, ${seenAt})`
    await sql.end()
  }

  test('alive is what answers', async () => {
    assert.deepEqual(await get('/livez'), { status: 200, text: 'ok\n' })
    assert.equal((await get('/elsewhere')).status, 404)
    assert.equal((await get('/livez', { method: 'POST' })).status, 405)
  })

  test('ready is the right schema and an index that keeps up with its source, also when the chain is old', async () => {
    now = Date.now()
    await setSource(403, '2026-11-15T02:36:47Z', new Date(now))
    const good = await ready()
    assert.equal(good.status, 200)
    assert.equal(good.checks['main.schema']?.ok, true)
    assert.deepEqual(good.checks['main.head'], {
      ok: true,
      synced: true,
      height: 403,
      node_height: 403,
      lag_blocks: 0,
      age_seconds: 0,
      verified_height: VERIFIED,
    })
    await setSource(500, '2026-11-15T02:39:00Z', new Date(now))
    const late = await ready()
    assert.deepEqual([late.status, late.checks['main.head']?.lag_blocks], [503, 97])
    await setSource(404, '2026-11-15T02:37:00Z', new Date(now))
    assert.equal((await ready()).status, 200)
    now += 120_000
    assert.equal((await ready()).status, 503, 'the source was not heard of for two minutes')
  })

  test('a live network is as old as its newest block, whatever its nodes say', async () => {
    const { last_time: time } = (await findHead(db))!
    let at = Date.parse(time) + 5000
    const health = new NetworkHealth({ name: 'live', db, isIndexer: true, isLive: true, maxLagSeconds: 60, now: () => at })
    const check = health.checks()[1]!
    const look = async (height: number) => {
      await setSource(height, time, new Date(at))
      const told: CheckResult & { reason?: unknown } = await check.run()
      return { ...told, isChainStill: (await health.readLag())!.isChainStill }
    }
    assert.deepEqual(await look(403), {
      ok: true,
      synced: true,
      height: 403,
      node_height: 403,
      lag_blocks: 0,
      age_seconds: 5,
      verified_height: VERIFIED,
      isChainStill: false,
    })
    at += 90_000
    const still = await look(403)
    assert.deepEqual([still.ok, still.isChainStill], [false, true])
    assert.match(String(still.reason), /the chain stands still/)
    // A new process knows at once that the block is old, and not yet that no other comes.
    const second = new NetworkHealth({ name: 'live', db, isIndexer: true, isLive: true, maxLagSeconds: 60, now: () => at })
    assert.equal((await second.checks()[1]!.run()).ok, false)
    assert.equal((await second.readLag())!.isChainStill, false)
  })

  test('a schema that this program does not know is not ready', async () => {
    const sql = openWriterSql(url, SCHEMA)
    await sql`insert into migration (version, name) values (999, 'of tomorrow')`
    assert.equal((await ready()).checks['main.schema']?.ok, false)
    await sql`delete from migration where version = 999`
    await sql.end()
  })

  test('a database that is away is not ready and still alive', async () => {
    const away = openReader({ url: 'postgres://nobody@127.0.0.1:1/none', schema: SCHEMA, max: 1 })
    const health = new NetworkHealth({ name: 'main', db: away, isIndexer: false, isLive: true, maxLagSeconds: 60 })
    const other = await startObservability({
      listen: { host: '127.0.0.1', port: 0 },
      metrics: createMetrics({ version: '', commit: '' }),
      networks: [{ name: 'main', db: away, health }],
    })
    assert.equal((await fetch(`${other.url}/livez`)).status, 200)
    const refused = await fetch(`${other.url}/readyz`)
    assert.equal(refused.status, 503)
    const told = (await refused.json()) as { failed: string[]; checks: Record<string, { reason: string }> }
    assert.deepEqual(told.failed, ['main.schema', 'main.head'])
    assert.match(told.checks['main.head']!.reason, /ECONNREFUSED/)
    const shown = await fetch(`${other.url}/metrics`)
    assert.equal(shown.status, 200)
    // No limits are kept here: a 0 would ring an alarm.
    assert.doesNotMatch(await shown.text(), /^idx_limits_shared /m)
    await other.close()
    await away.end({ timeout: 0 })
  })

  test('every metric has its name, and those of the index come from the database', async () => {
    await setSource(410, '2026-11-15T02:37:30Z', new Date())
    const { text } = await get('/metrics')
    for (const name of NAMES) assert.ok(text.includes(`# TYPE ${name} `), name)
    assert.match(text, /^idx_head_height\{network="main"\} 403$/m)
    assert.match(text, /^idx_node_head_height\{network="main"\} 410$/m)
    assert.match(text, /^idx_lag_blocks\{network="main"\} 7$/m)
    assert.match(text, /^idx_build_info\{version="1.2.3",commit="abc"\} 1$/m)
    assert.match(text, /^idx_disk_free_ratio 0\.\d+$/m)
  })

  test('every alert is about metrics that exist', async () => {
    const rules = readFileSync(packagePath('ops/alerts.yml'), 'utf8')
    const { text } = await get('/metrics')
    const used = [...new Set(rules.match(/idx_[a-z_]+/g))].map((name) => name.replace(/_(count|bucket|sum)$/, ''))
    assert.ok(used.length > 10)
    for (const name of used) assert.ok(text.includes(`# TYPE ${name} `), name)
  })

  test('requests are counted by the template of their route, whatever stands in the path', async () => {
    const { app, close } = await openGuardedApi(url)
    observeRequests(app, { metrics, network: 'main', log })
    await app.inject('/v1/block/17')
    await app.inject('/v1/block/18')
    // Kept by now.
    await app.inject('/v1/block/18')
    await app.inject('/v1/some/<script>')
    await app.inject({ method: 'PUT', url: '/v1/head' })
    const { text } = await get('/metrics')
    const counts = text.split('\n').filter((line) => line.startsWith('idx_http_request_duration_seconds_count'))
    assert.deepEqual(counts.sort(), [
      'idx_http_request_duration_seconds_count{network="main",method="GET",route="/v1/block/:height",status="200"} 3',
      'idx_http_request_duration_seconds_count{network="main",method="GET",route="unknown",status="404"} 1',
      'idx_http_request_duration_seconds_count{network="main",method="PUT",route="/v1/head",status="405"} 1',
    ])
    assert.match(text, /^idx_http_active_requests\{network="main"\} 0$/m)
    await close()
  })

  test('an indexer tells how it gets on', async () => {
    const own = createMetrics({ version: '', commit: '' })
    const observer = new IndexerObserver(own, 'n', () => 5000)
    const value = async (name: string) => (await own.registry.getSingleMetricAsString(`idx_${name}`)).split('\n').at(-1)
    assert.equal(await value('status'), 'idx_status{network="n"} 1')
    const check = async () => observer.check().run()
    assert.deepEqual(await check(), { ok: false, role: 'none' })
    observer.became('standby')
    assert.deepEqual(await check(), { ok: true, role: 'standby' })
    observer.became('writer')
    assert.equal(await value('writer_lock_held'), 'idx_writer_lock_held{network="n"} 1')
    observer.progress({ height: 10, target: 100, blockBytes: Array(10).fill(700) })
    assert.equal(await value('status'), 'idx_status{network="n"} 2')
    observer.progress({ height: 100, target: 100, blockBytes: Array(90).fill(2_000_001) })
    assert.equal(await value('status'), 'idx_status{network="n"} 3')
    assert.equal(await value('blocks_committed_total'), 'idx_blocks_committed_total{network="n"} 100')
    assert.equal(await value('last_commit_timestamp_seconds'), 'idx_last_commit_timestamp_seconds{network="n"} 5')
    observer.rolledBack(100, 97)
    assert.equal(await value('rollback_depth_blocks'), 'idx_rollback_depth_blocks{network="n"} 3')
    observer.nodes([{ label: 'a', quarantined: 'lied', failures: 1 }])
    assert.equal(await value('node_quarantined'), 'idx_node_quarantined{network="n",node="a"} 1')
    observer.halted(new Invariant('negative_balance', 'x'))
    assert.equal(
      await value('invariant_violations_total'),
      'idx_invariant_violations_total{network="n",name="negative_balance"} 1',
    )
    assert.equal(await value('status'), 'idx_status{network="n"} 5')
    assert.deepEqual(await check(), { ok: false, role: 'none' })
  })

  test('the age of off-chain data grows while its source is silent', async () => {
    let time = 1_000_000
    const own = createMetrics({ version: '', commit: '' })
    const ages = new OffchainAges(own, () => time)
    const observer = ages.observe('n', log)
    observer.succeeded('price', { changed: true, fresh: time - 60_000 })
    time += 900_000
    observer.failed('price', new Error('away'))
    observer.failed('names', new Error('away since the start'))
    ages.update()
    const text = await own.registry.metrics()
    assert.match(text, /^idx_offchain_age_seconds\{network="n",source="price"\} 960$/m)
    assert.match(text, /^idx_offchain_age_seconds\{network="n",source="names"\} 900$/m)
    assert.match(text, /^idx_offchain_failures_total\{network="n",source="price"\} 1$/m)
  })
})
