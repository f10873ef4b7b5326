import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createKey, revokeKey } from '../../src/store/access/keys.ts'
import { openPool, type SqlPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { freshDatabase, serverUrl } from '../support/database.ts'
import { createDatabase } from '../support/templates.ts'
import { type GuardedApiOptions, openGuardedApi, SECRETS, SMALL_PLAN, type TestApi } from './guarded-api.ts'

const createEmptyDatabase = () => createDatabase(serverUrl, `counters_${process.pid}`)

describe('access to the key surface', () => {
  let url: string
  let sql: SqlPool
  const closing: (() => Promise<unknown>)[] = []
  before(async () => {
    url = await freshDatabase('devnet')
    sql = openPool('access', { url, schema: SHARED_SCHEMA })
  })
  after(async () => {
    for (const close of closing.reverse()) await close()
    await sql.end()
  })

  const open = async (options: GuardedApiOptions = {}): Promise<TestApi> => {
    const api = await openGuardedApi(url, options)
    closing.push(api.close)
    return api
  }
  const makeKey = (options: { plan?: string; testNetworks?: boolean; expiresAt?: Date; role?: 'client' | 'admin' } = {}) =>
    createKey(sql, SECRETS, { role: 'client', plan: 'small', label: 'test', ...options })

  test('without a key the surface is free, and every answer names the terms of use', async () => {
    const { app } = await open()
    for (const path of ['/v1/head', '/v1/nothing', '/v1/block?limit=2']) {
      const { headers } = await app.inject(path)
      assert.match(String(headers.link), /<\/v1\/attribution>; rel="license"$/, path)
    }
    const list = await app.inject('/v1/block?limit=2')
    assert.match(String(list.headers.link), /^<\/v1\/block\?limit=2&[^>]*>; rel="next", </)
    const terms = await app.inject('/v1/attribution')
    assert.equal(terms.statusCode, 200)
    assert.match(terms.json<{ html: string }>().html, /^<a href="https:/)
    const description = (await app.inject('/v1/swagger/doc.json')).json<{ info: { description: string }; paths: object }>()
    assert.match(description.info.description, /requires attribution/)
    assert.ok('/v1/usage' in description.paths || '/usage' in description.paths)
  })

  test('a right key works in any spelling of the header and never in the url', async () => {
    const { text } = await makeKey()
    const { app } = await open()
    for (const name of ['apikey', 'apiKey', 'APIKEY', 'ApiKey']) {
      const { statusCode, headers } = await app.inject({ url: '/v1/head', headers: { [name]: text } })
      assert.equal(statusCode, 200)
      assert.match(String(headers['ratelimit-policy']), /^"burst";q=40;w=400, "daily";q=100000;w=86400$/)
    }
    const { headers } = await app.inject(`/v1/head?apikey=${text}`)
    assert.match(String(headers['ratelimit-policy']), /^"burst";q=10000;/, 'the free plan')
  })

  test('a key of another service is answered as anonymous, and told so', async () => {
    const { app } = await open()
    const foreign = ['0b7c6f9e-5d1d-4a39-9a65-0ef2ad3f5a11', 'undefined', '']
    const ways = foreign.flatMap((text) => [{ apikey: text }, { authorization: `Bearer ${text}` }])
    for (const headers of ways.filter(({ authorization }) => authorization !== 'Bearer ')) {
      const answer = await app.inject({ url: '/v1/head', headers })
      assert.equal(answer.statusCode, 200, JSON.stringify(headers))
      assert.match(String(answer.headers['ratelimit-policy']), /^"burst";q=10000;/, 'the free plan')
      assert.match(String(answer.headers['x-access-warning']), /not a key of this service/)
      assert.match(String(answer.headers['access-control-expose-headers']), /X-Access-Warning/)
    }
    const basic = await app.inject({ url: '/v1/head', headers: { authorization: 'Basic eDp5' } })
    assert.deepEqual([basic.statusCode, basic.headers['x-access-warning']], [200, undefined])
  })

  test('a key counts as a bearer token too, also beside a key of another service', async () => {
    const { text } = await makeKey()
    const { app } = await open()
    for (const headers of [
      { authorization: `Bearer ${text}` },
      { authorization: `bearer  ${text}` },
      { authorization: `Bearer ${text}`, apikey: 'of another service' },
      { authorization: 'Bearer of.another.service', apikey: text },
    ]) {
      const answer = await app.inject({ url: '/v1/head', headers })
      assert.match(String(answer.headers['ratelimit-policy']), /^"burst";q=40;/, JSON.stringify(Object.keys(headers)))
      assert.equal(answer.headers['x-access-warning'], undefined)
    }
    const wrong = await app.inject({ url: '/v1/head', headers: { authorization: `Bearer ${text.slice(0, -1)}` } })
    assert.deepEqual([wrong.statusCode, wrong.json<{ code: string }>().code], [401, 'key_malformed'])
  })

  test('usage can be read when the quota is gone, within its own limit', async () => {
    const tiny = { name: 'tiny', requests_per_second: 0.1, burst_seconds: 400, daily_quota: 10 }
    const { text } = await makeKey({ plan: 'tiny' })
    const { app } = await open({ access: { plans: [{ name: 'free', requests_per_second: 1000 }, tiny] } })
    const get = (url: string) => app.inject({ url, headers: { apikey: text } })
    const statuses: number[] = []
    for (let i = 0; i < 40 && statuses.at(-1) !== 429; i++) statuses.push((await get('/v1/head')).statusCode)
    assert.equal(statuses.at(-1), 429)
    assert.equal((await get('/v1/usage')).statusCode, 200)
    const own: number[] = []
    for (let i = 0; i < 40; i++) own.push((await get('/v1/usage')).statusCode)
    assert.deepEqual([...new Set(own)], [200, 429], 'not without a limit')
  })

  test('a wrong key is 401 and never the free plan: malformed, unknown, revoked, expired, of an operator', async () => {
    const { app, service } = await open()
    const revoked = await makeKey()
    await revokeKey(sql, revoked.id)
    const expired = await makeKey({ expiresAt: new Date(Date.now() - 1000) })
    const operator = await makeKey({ role: 'admin' })
    const { text: unknown } = await createKey(
      sql,
      { ...SECRETS, pepper: 'x'.repeat(32) },
      { role: 'client', plan: 'small', label: '' },
    )
    await service.parts.ring.refresh()
    const codes: [string, string][] = [
      ['astro_hello', 'key_malformed'],
      [unknown, 'key_unknown'],
      [revoked.text, 'key_revoked'],
      [expired.text, 'key_expired'],
      [operator.text, 'key_unknown'],
    ]
    for (const [apikey, code] of codes) {
      const answer = await app.inject({ url: '/v1/head', headers: { apikey } })
      assert.equal(answer.statusCode, 401, code)
      assert.equal(answer.json<{ code: string }>().code, code)
      assert.equal(answer.headers['access-control-allow-origin'], '*')
      assert.equal(answer.headers.ratelimit, undefined, 'a refused key costs nothing')
      assert.ok(!answer.payload.includes(apikey) || apikey === 'astro_hello')
    }
  })

  test('the sixth wrong key within half a minute is 429, from the whole IPv6 network of the client', async () => {
    const { text } = await makeKey()
    const { app } = await open()
    const wrong = (remoteAddress: string, apikey = 'astro_no_key') =>
      app.inject({ url: '/v1/head', headers: { apikey }, remoteAddress }).then(({ statusCode }) => statusCode)
    const statuses: number[] = []
    for (let i = 1; i <= 7; i++) statuses.push(await wrong(`2001:db8::${i}`))
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429])
    assert.equal(await wrong('2001:db8:0:1::1'), 401, 'another network')
    assert.equal(await wrong('2001:db8::9', text), 200, 'a right key is not held up by others')
    assert.equal((await app.inject({ url: '/v1/head', remoteAddress: '2001:db8::9' })).statusCode, 200)
  })

  test('over the limit is 429 with the time to wait, and the limit is per account and not shared', async () => {
    const plans = [{ name: 'free', requests_per_second: 0.01, burst_seconds: 20, daily_quota: 100_000 }, SMALL_PLAN]
    const { text } = await makeKey()
    const { app } = await open({ access: { plans } })
    const get = (options: { remoteAddress?: string; headers?: Record<string, string> } = {}) =>
      app.inject({ url: '/v1/head', remoteAddress: '203.0.113.1', ...options })
    let refused = await get()
    for (let i = 0; i < 30 && refused.statusCode === 200; i++) {
      assert.match(String(refused.headers.ratelimit), /^"burst";r=\d+;t=\d+$/)
      refused = await get()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.equal(refused.statusCode, 429)
    const { code, message } = refused.json<{ code: string; message: string }>()
    assert.deepEqual([code, message], ['rate_limited', 'rate limit exceeded'])
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    assert.match(String(refused.headers.ratelimit), /^"burst";r=0;t=\d+$/)
    assert.equal((await get({ remoteAddress: '203.0.113.2' })).statusCode, 200, 'another address')
    assert.equal((await get({ headers: { apikey: text } })).statusCode, 200, 'a key from the same address')
    assert.equal((await get({ headers: { 'x-forwarded-for': '198.51.100.7' } })).statusCode, 429, 'a forged address')
    assert.equal((await app.inject({ method: 'OPTIONS', url: '/v1/head', remoteAddress: '203.0.113.1' })).statusCode, 204)
    for (let i = 0; i < 3; i++) await get({ remoteAddress: `2001:db8:5:5::${i}` })
    const anonymous = await sql<{ account: string }[]>`select account from limit_bucket where account like 'ip_%'`
    assert.ok(
      anonymous.every(({ account }) => !account.includes('203.0')),
      'no address is stored',
    )
  })

  test('without the database of the counters requests are still served, and still limited', async () => {
    const plans = [{ name: 'free', requests_per_second: 0.01, burst_seconds: 20 }]
    const troubles: string[] = []
    const { app } = await open({
      access: { plans, limits_url: 'postgres://nobody@127.0.0.1:1/none' },
      onTrouble: (what) => troubles.push(what),
    })
    const statuses: number[] = []
    for (let i = 0; i < 15; i++) statuses.push((await app.inject({ url: '/v1/head', remoteAddress: '198.51.100.77' })).statusCode)
    assert.deepEqual(statuses, [...Array(10).fill(200), ...Array(5).fill(429)])
    assert.deepEqual(troubles, ['limits_down'])
  })

  test('counters can be kept in a database of their own', async () => {
    const counters = await createEmptyDatabase()
    const { app } = await open({ access: { limits_url: counters } })
    await app.inject({ url: '/v1/head', remoteAddress: '198.51.100.78' })
    await closing.pop()!()
    const own = openPool('access', { url: counters, schema: SHARED_SCHEMA })
    assert.equal((await own`select used from limit_bucket`)[0]?.used, 1)
    await own.end()
  })

  test('an address of the forwarding header counts when a trusted proxy wrote it', async () => {
    const plans = [{ name: 'free', requests_per_second: 0.01, burst_seconds: 20 }, SMALL_PLAN]
    const { app } = await open({ access: { plans, trusted_proxies: ['10.0.0.0/8'] } })
    const get = (client: string) =>
      app
        .inject({ url: '/v1/head', remoteAddress: '10.0.0.5', headers: { 'x-forwarded-for': client } })
        .then(({ statusCode }) => statusCode)
    const statuses = new Set<number>()
    for (let i = 0; i < 30; i++) {
      statuses.add(await get('192.0.2.1'))
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    assert.deepEqual([...statuses], [200, 429])
    assert.equal(await get('192.0.2.2'), 200)
    assert.equal(await get('192.0.2.9, 192.0.2.1'), 429, 'what the client wrote itself does not help')
  })

  test('statistics cost five times a read', async () => {
    const { text } = await makeKey()
    const { app } = await open()
    const left = async (path: string) => {
      const { headers } = await app.inject({ url: path, headers: { apikey: text } })
      return Number(/r=(\d+)/.exec(String(headers.ratelimit))![1])
    }
    const before = await left('/v1/head')
    assert.equal(before - (await left('/v1/stats/tps')), 5)
    assert.equal(before - 5 - (await left('/v1/block?limit=1')), 2)
  })

  test('a plan without statistics or off-chain data is told so with 403', async () => {
    const free = { name: 'free', requests_per_second: 100, statistics: false, offchain: false }
    const { text } = await makeKey()
    const { app } = await open({ access: { plans: [free, SMALL_PLAN] } })
    const codeOf = async (path: string) => (await app.inject(path)).json<{ code: string }>().code
    assert.equal(await codeOf('/v1/stats/tps'), 'plan_without_statistics')
    assert.equal(await codeOf('/v1/stats/price/current'), 'plan_without_offchain')
    assert.equal((await app.inject('/v1/stats/tps')).statusCode, 403)
    assert.equal((await app.inject('/v1/head')).statusCode, 200)
    assert.equal((await app.inject({ url: '/v1/stats/tps', headers: { apikey: text } })).statusCode, 200)
  })

  test('a key is for the main network unless its plan or an arrangement says otherwise', async () => {
    const [paid, arranged, gone] = await Promise.all([makeKey(), makeKey({ testNetworks: true }), makeKey({ plan: 'gone' })])
    const { app } = await open({ network: { name: 'test-1', kind: 'test' } })
    const get = (apikey: string) => app.inject({ url: '/v1/head', headers: { apikey } })
    const refused = await get(paid.text)
    assert.deepEqual([refused.statusCode, refused.json<{ code: string }>().code], [403, 'network_not_in_plan'])
    assert.equal((await get(arranged.text)).statusCode, 200)
    assert.equal((await get(gone.text)).json<{ code: string }>().code, 'plan_unknown')
    assert.equal((await app.inject('/v1/head')).statusCode, 200)
  })

  test('a key reads its own usage, per day and over both keys of a rotation', async () => {
    const { text, id } = await makeKey()
    const { app, service } = await open()
    for (let i = 0; i < 3; i++) await app.inject({ url: '/v1/block?limit=1', headers: { apikey: text } })
    await service.parts.usage.flush()
    const answer = await app.inject({ url: '/v1/usage', headers: { apikey: text } })
    assert.equal(answer.statusCode, 200)
    const usage = answer.json<{ key: string; plan: string; days: Record<string, unknown>[] }>()
    assert.deepEqual([usage.key, usage.plan], [id, 'small'])
    assert.deepEqual(usage.days, [{ day: new Date().toISOString().slice(0, 10), requests: 3, points: 6, refused: 0 }])
    const anonymous = await app.inject('/v1/usage')
    assert.deepEqual([anonymous.statusCode, anonymous.json<{ code: string }>().code], [401, 'key_required'])
  })

  test('in the demo callers on this machine are not limited; through a proxy or on a public address they are', async () => {
    const local = { remoteAddress: '127.0.0.1', url: '/v1/head' }
    const demo = await open({ exemptLoopback: true })
    assert.equal((await demo.app.inject(local)).headers.ratelimit, undefined)
    assert.notEqual((await demo.app.inject({ ...local, remoteAddress: '192.0.2.1' })).headers.ratelimit, undefined)
    assert.notEqual(
      (await demo.app.inject({ ...local, headers: { 'x-forwarded-for': '192.0.2.1' } })).headers.ratelimit,
      undefined,
    )
    assert.equal((await demo.app.inject({ ...local, headers: { apikey: 'astro_wrong' } })).statusCode, 401)
    const limited = await open({ exemptLoopback: false })
    assert.notEqual((await limited.app.inject(local)).headers.ratelimit, undefined)
    const exposed = await open({ exemptLoopback: true, host: '0.0.0.0' })
    assert.notEqual((await exposed.app.inject(local)).headers.ratelimit, undefined)
  })
})
