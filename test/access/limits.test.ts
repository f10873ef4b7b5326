import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { after, describe, test } from 'node:test'
import { createPlans } from '../../src/access/plans.ts'
import { RateLimiter } from '../../src/access/rate-limit.ts'
import { createKey } from '../../src/store/access/keys.ts'
import { createLimitStore, type LimitStore } from '../../src/store/access/limit-store.ts'
import { openPool, type SqlPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { freshDatabase } from '../support/database.ts'
import { longTest } from '../support/long-test.ts'
import { runScript } from '../support/program.ts'
import { openGuardedApi, SECRETS } from './guarded-api.ts'

const planOf = (settings: Record<string, number>) =>
  createPlans([
    {
      name: 'free',
      sold: false,
      period_days: 30,
      requests_per_second: 10,
      burst_seconds: 10,
      webhooks: 0,
      websocket_connections: 1,
      offchain: true,
      statistics: true,
      test_networks: false,
      ...settings,
    },
  ]).free

async function openLimiter(sql: SqlPool): Promise<RateLimiter> {
  const limiter = new RateLimiter(createLimitStore(sql))
  await limiter.start()
  return limiter
}

const NO_SERVER = 'postgres://nobody@127.0.0.1:1/none'

describe('limits', () => {
  const closing: (() => Promise<unknown>)[] = []
  after(async () => {
    for (const close of closing.reverse()) await close()
  })
  const openStore = (url: string): SqlPool => {
    const sql = openPool('access', { url, schema: SHARED_SCHEMA })
    closing.push(() => sql.end({ timeout: 1 }))
    return sql
  }

  test('a whole burst gets through at once, the next request is told when to come back', async () => {
    const limiter = await openLimiter(openStore(await freshDatabase()))
    const plan = planOf({ requests_per_second: 2, burst_seconds: 10 })
    let served = 0
    for (let i = 0; i < 200 && served < 20; i++) {
      if (limiter.take('one', plan, 1).allowed) served++
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    assert.equal(served, 20)
    let refused = limiter.take('one', plan, 1)
    for (let i = 0; refused.allowed && i < 5; i++) refused = limiter.take('one', plan, 1)
    assert.deepEqual([refused.allowed, refused.policy, refused.remaining], [false, 'burst', 0])
    assert.ok(refused.seconds >= 1 && refused.seconds <= 2, String(refused.seconds))
    await limiter.stop()
  })

  test('points for what was served already are owed, and nothing is served until they are paid', async () => {
    const sql = openStore(await freshDatabase())
    const limiter = await openLimiter(sql)
    const plan = planOf({ requests_per_second: 2, burst_seconds: 10 })
    assert.equal(limiter.take('large', plan, 1).allowed, true)
    limiter.owe('large', plan, 60)
    assert.equal(limiter.take('large', plan, 1).allowed, false)
    await limiter.stop()
    // Owed to the bucket that all servers share, which goes no deeper than it is high.
    const [bucket] = await sql<{ tokens: number }[]>`select tokens from limit_bucket where account = 'large'`
    assert.equal(bucket!.tokens, -20)
  })

  test('a row that a wrong clock dated ahead does not throttle beyond what was used', async () => {
    const sql = openStore(await freshDatabase())
    const store = createLimitStore(sql)
    const ask = { account: 'one', spent: 0, wanted: 1, rate: 1000, burst: 100, quota: 50 }
    await store.take([{ ...ask, spent: 100 }])
    await sql`update limit_bucket set refilled_at = now() + interval '1 hour', day = day + 1, used = 20`
    await store.take([{ ...ask, wanted: 0 }])
    await new Promise((resolve) => setTimeout(resolve, 20))
    const [grant] = await store.take([ask])
    assert.equal(grant?.granted, 1, 'filled again since')
    const [row] = await sql`
      select refilled_at <= clock_timestamp() as is_past, day = (now() at time zone 'UTC')::date as is_today, used from limit_bucket`
    assert.deepEqual({ ...row }, { is_past: true, is_today: true, used: 21 })
    await sql`insert into limit_server (id, seen_at) values ('gone', now() + interval '1 hour')`
    assert.equal(await store.meet('here'), 1, 'a server that was seen in the future is not there')
  })

  test('a server whose own clock jumps back goes on giving what the plan gives', async () => {
    const sql = openStore(await freshDatabase())
    let now = Date.now() + 3_600_000
    const limiter = new RateLimiter(createLimitStore(sql), { now: () => now })
    await limiter.start()
    const plan = planOf({ requests_per_second: 50, burst_seconds: 1 })
    assert.ok(limiter.take('one', plan, 1).allowed)
    await new Promise((resolve) => setTimeout(resolve, 200))
    now -= 3_600_000
    assert.ok(limiter.take('one', plan, 1).allowed)
    await limiter.stop()
    const away = new RateLimiter(createLimitStore(openStore(NO_SERVER)), { now: () => now })
    await away.start()
    assert.ok(away.take('one', plan, 1).allowed)
    now -= 3_600_000
    assert.ok(away.take('one', plan, 1).allowed)
    await away.stop()
  })

  test('the whole bucket of a newcomer can be used at the same moment, and not a point more', async () => {
    const limiter = await openLimiter(openStore(await freshDatabase()))
    const plan = planOf({ requests_per_second: 0.5, burst_seconds: 200 })
    const burst = () => Array.from({ length: 60 }, () => limiter.take('one', plan, 2)).filter(({ allowed }) => allowed).length
    assert.equal(burst(), 50, '100 points')
    assert.equal(burst(), 0)
    await limiter.stop()
  })

  test('servers that share the counters give a newcomer one bucket together', async () => {
    const url = await freshDatabase()
    const limiters = [await openLimiter(openStore(url)), await openLimiter(openStore(url))]
    const plan = planOf({ requests_per_second: 0.001, burst_seconds: 1 })
    const [row] = await openStore(url)<{ servers: number }[]>`select count(*) as servers from limit_server`
    assert.equal(row?.servers, 2)
    // The first one hears of the second when they meet next.
    for (const limiter of limiters) await limiter.meet()
    const served = limiters.map((limiter) =>
      Array.from({ length: 20 }, () => limiter.take('one', plan, 1)).filter(({ allowed }) => allowed),
    )
    assert.deepEqual(
      served.map(({ length }) => length),
      [5, 5],
    )
    for (const limiter of limiters) await limiter.stop()
    const [left] = await openStore(url)<{ servers: number }[]>`select count(*) as servers from limit_server`
    assert.equal(left?.servers, 0)
  })

  test('points that the bucket holds are not refused because this server has not taken them yet', async () => {
    const url = await freshDatabase()
    const limiters = [await openLimiter(openStore(url)), await openLimiter(openStore(url))] as const
    for (const limiter of limiters) await limiter.meet()
    const plan = planOf({ requests_per_second: 0.001, burst_seconds: 41_000 })
    for (const limiter of limiters) assert.ok((await limiter.decide('one', plan, 1)).allowed)
    const sql = openStore(url)
    // One spent and four taken in advance by each.
    while ((await sql`select from limit_bucket where used >= 10`).length === 0);
    // Each costs more than the share of the rest that one of several servers gives before it has asked.
    for (const limiter of [limiters[0], limiters[1], limiters[1]]) {
      const decision = limiter.decide('one', plan, 13)
      assert.ok('then' in decision && (await decision).allowed)
    }
    for (const limiter of limiters) assert.equal((await limiter.decide('one', plan, 13)).allowed, false)
    for (const limiter of limiters) await limiter.stop()
  })

  test('a day that is used up stays used up on every server, whatever the bucket holds', async () => {
    const url = await freshDatabase()
    const [first, second] = await Promise.all([1, 2].map(() => openLimiter(openStore(url))))
    const plan = planOf({ requests_per_second: 1000, daily_quota: 30 })
    let served = 0
    for (let i = 0; i < 200; i++) {
      for (const limiter of [first!, second!]) if (limiter.take('one', plan, 1).allowed) served++
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    // Each server may give one request on credit before it has heard of the other.
    assert.ok(served >= 30 && served <= 32, String(served))
    const { allowed, policy, seconds } = first!.take('one', plan, 1)
    assert.deepEqual([allowed, policy], [false, 'daily'])
    assert.ok(seconds > 0 && seconds <= 86_400)
    await Promise.all([first!.stop(), second!.stop()])
  })

  test('points that a server took and did not use go back', async () => {
    const sql = openStore(await freshDatabase())
    const limiter = await openLimiter(sql)
    const plan = planOf({ requests_per_second: 0.001, burst_seconds: 1 })
    for (let i = 0; i < 3; i++) {
      limiter.take('one', plan, 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await limiter.stop()
    const [row] = await sql<{ tokens: number; used: number }[]>`select tokens, used from limit_bucket`
    assert.ok(row && Math.abs(row.tokens - 7) < 0.1 && row.used === 3, JSON.stringify(row))
  })

  test('without the shared counters every server keeps to the plan by itself, and continues when they are back', async () => {
    const real = createLimitStore(openStore(await freshDatabase()))
    const away = createLimitStore(openStore(NO_SERVER))
    let store: LimitStore = away
    const states: string[] = []
    let now = Date.now()
    const limiter = new RateLimiter(
      { take: (asks) => store.take(asks), meet: (server) => store.meet(server), leave: (server) => store.leave(server) },
      { now: () => now, retryMs: 10, onStore: (state) => states.push(state) },
    )
    const plan = planOf({ requests_per_second: 10, burst_seconds: 10 })
    while (states.length === 0) {
      limiter.take('one', plan, 1)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    let served = 0
    for (let i = 0; i < 1000; i++) if (limiter.take('one', plan, 1).allowed) served++
    assert.ok(served > 0 && served <= 100, `${served} of a bucket of 100`)
    now += 2000
    served = 0
    for (let i = 0; i < 1000; i++) if (limiter.take('one', plan, 1).allowed) served++
    assert.equal(served, 20, 'two seconds of the rate')
    store = real
    now += 100_000
    while (states.at(-1) !== 'up') {
      limiter.take('one', plan, 1)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.deepEqual(states, ['down', 'up'])
    await limiter.stop()
  })

  test('counters that cannot be deleted are no reason to call the shared counters away', async () => {
    const url = await freshDatabase('devnet')
    const sql = openStore(url)
    await sql`insert into limit_bucket values ('old', 0, now() - interval '2 days', current_date - 2, 0, 0)`
    await sql.unsafe(`create function keep() returns trigger language plpgsql as 'begin raise exception ''kept''; end'`)
    await sql.unsafe('create trigger keep before delete on limit_bucket for each row execute function keep()')
    const troubles: string[] = []
    const { close } = await openGuardedApi(url, { onTrouble: (what) => troubles.push(what), forgetMs: 5 })
    closing.push(close)
    while (troubles.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.deepEqual(new Set(troubles), new Set(['forgetting']))
  })

  longTest('64 clients over two servers get no more from one key than its plan gives, and not much less', async () => {
    const url = await freshDatabase('devnet')
    const sql = openStore(url)
    const { text } = await createKey(sql, SECRETS, { role: 'client', plan: 'tiny', label: 'hammer' })
    const plan = { name: 'tiny', requests_per_second: 20, burst_seconds: 5 }
    const access = { plans: [{ name: 'free', requests_per_second: 5 }, plan] }
    const ports = await Promise.all([1, 2].map(() => startServer(url, access)))
    const agent = new Agent({ keepAlive: true, maxSockets: 64 })
    const startedAt = performance.now()
    const counts = new Map<number, number>()
    let firstAt = Number.POSITIVE_INFINITY
    const elapsed = () => (performance.now() - startedAt) / 1000
    await Promise.all(
      Array.from({ length: 64 }, async (_, i) => {
        while (elapsed() < 5) {
          const status = await statusOf(`http://127.0.0.1:${ports[i % 2]}/v1/head`, text, agent)
          firstAt = Math.min(firstAt, elapsed())
          counts.set(status, (counts.get(status) ?? 0) + 1)
        }
      }),
    )
    const seconds = elapsed()
    agent.destroy()
    const given = 20 * 5 + 20 * seconds
    const served = counts.get(200) ?? 0
    const told = `${served} served of ${given.toFixed(1)} in ${seconds.toFixed(2)} s`
    assert.deepEqual([...counts.keys()].sort(), [200, 429], told)
    assert.ok(served <= given * 1.02, told)
    // A bucket is full until somebody uses it, so its refill counts from the first answer.
    assert.ok(served >= 0.85 * (20 * 5 + 20 * (seconds - firstAt)), told)
  })
})

async function startServer(url: string, access: unknown): Promise<number> {
  const text = await runScript('access/limit-server.js', [url, JSON.stringify(access)]).says(/^port \d+\n/)
  return Number(/\d+/.exec(text)![0])
}

function statusOf(url: string, apikey: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { apikey } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    }).on('error', reject)
  })
}
