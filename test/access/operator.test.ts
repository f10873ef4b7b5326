import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type FastifyInstance, fastify } from 'fastify'
import { IndexerObserver } from '../../src/observability/indexer-observer.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import { buildOperatorApi } from '../../src/operator/server.ts'
import { registerOperatorPage, registerPage } from '../../src/page/page.ts'
import { KeyRing } from '../../src/store/access/key-ring.ts'
import { createKey } from '../../src/store/access/keys.ts'
import { type Db, openPool, openReader, type SqlPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { noteFailure } from '../../src/store/offchain/state.ts'
import { freshDatabase } from '../support/database.ts'
import { type ServedChain, serveChain } from '../support/served-chain.ts'
import { SCHEMA } from '../support/templates.ts'
import { openManager, SECRETS } from './guarded-api.ts'

const SIGNER = 'celestia1eyxcmwhgqxl2y0h9yj8d6z2y9mm902lu3z00d7'
const NOBODY = 'celestia1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqvfxhcj'
const NAMESPACE = 'AAAAAAAAAAAAAAAAAAAAAAAAAABmb3JtYS1hcnQ='

describe("the operator's API", () => {
  let app: FastifyInstance
  let api: ServedChain
  let sql: SqlPool
  let db: Db
  const keys = { admin: '', operator: '', client: '' }
  const actions: string[] = []
  const observer = new IndexerObserver(createMetrics({ version: '0', commit: 'none' }), 'main', () => 0)
  before(async () => {
    const url = await freshDatabase('devnet')
    sql = openPool('access', { url, schema: SHARED_SCHEMA })
    db = openReader({ url, schema: SCHEMA, max: 2 })
    for (const role of ['admin', 'operator', 'client'] as const)
      keys[role] = (await createKey(sql, SECRETS, { role, plan: 'free', label: role })).text
    const ring = new KeyRing(sql, SECRETS)
    await ring.refresh()
    app = buildOperatorApi({
      networks: [
        {
          name: 'main',
          url,
          schema: SCHEMA,
          db,
          indexer: () => observer.facts([{ label: 'node', quarantined: 'lied', failures: 2 }]),
        },
      ],
      ring,
      accounts: openManager(sql),
      sql,
      onAction: ({ action, rollup }) => actions.push(`${action} ${rollup}`),
      onError: (error) => console.error(error),
    })
    registerOperatorPage(app)
    api = await serveChain(url)
  })
  after(async () => {
    await app.close()
    await api.close()
    await db.end()
    await sql.end()
  })

  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, key = keys.admin) => {
    const answer = await app.inject({
      method,
      url: `/v1/auth${path}`,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      remoteAddress: `2001:db8:${Math.floor(Math.random() * 60_000).toString(16)}::1`,
    })
    return {
      status: answer.statusCode,
      body: answer.payload === '' ? undefined : (JSON.parse(answer.payload) as Record<string, unknown>),
    }
  }
  const entry = (name: string, more: Record<string, unknown> = {}) => ({
    name,
    description: `about ${name}`,
    logo: 'https://example.org/logo.png',
    providers: [{ address: SIGNER }],
    ...more,
  })
  const countOf = async (id: number) => {
    const { status, body } = await api.get<{ blobs_count: number } | undefined>(`/rollup/${id}`)
    return status === 200 ? body?.blobs_count : status
  }

  test('what needs no body takes an empty one of any type', async () => {
    const created = await call('POST', '/rollup/new', entry('Bare'))
    const id = created.body?.id
    for (const type of ['application/json', 'application/x-www-form-urlencoded'])
      for (const [method, path] of [
        ['PATCH', `/rollup/${id}/verify`],
        ['DELETE', '/rollup/999999'],
      ] as const) {
        const answer = await app.inject({
          method,
          url: `/v1/auth${path}`,
          headers: { authorization: `Bearer ${keys.admin}`, 'content-type': type },
          payload: '',
        })
        const expected = method === 'PATCH' ? [200, 'success'] : [400, 'there is no rollup 999999']
        assert.deepEqual([answer.statusCode, answer.json<{ message: string }>().message], expected)
      }
    assert.equal((await call('POST', '/rollup/new', '')).status, 400)
    assert.equal((await call('DELETE', `/rollup/${id}`, '')).status, 200)
  })

  test('asks for a key, refuses wrong ones and those of callers', async () => {
    const bare = await app.inject({ method: 'POST', url: '/v1/auth/rollup/new' })
    assert.deepEqual([bare.statusCode, bare.json<{ message: string }>().message], [400, 'missing key in request header'])
    for (const key of ['x', keys.client]) {
      const { status, body } = await call('POST', '/rollup/new', entry('No'), key)
      assert.deepEqual([status, body?.message], [401, 'Unauthorized'])
    }
  })

  test('keeps admin routes for admins', async () => {
    for (const [method, path] of [
      ['GET', '/rollup/unverified'],
      ['PATCH', '/rollup/1/verify'],
      ['DELETE', '/rollup/1'],
    ] as const)
      assert.deepEqual(await call(method, path, undefined, keys.operator), { status: 403, body: { error: 'access denied' } })
  })

  test('a rollup of an admin is verified and has its blobs at once; deleted, they are gone', async () => {
    const { status, body } = await call('POST', '/rollup/new', entry('Admin Made', { type: 'settled', tags: ['zk'] }))
    assert.equal(status, 200)
    const id = Number(body?.id)
    assert.equal(await countOf(id), 437)
    const { body: shown } = await api.get<Record<string, unknown>>('/rollup/slug/admin-made')
    assert.deepEqual([shown.type, shown.category, shown.tags], ['settled', 'uncategorized', ['zk']])
    assert.equal((await api.list(`/rollup/${id}/blobs?limit=100`)).length, 100)
    assert.equal((await api.get<number>('/rollup/count')).body, 3)
    assert.deepEqual(await call('DELETE', `/rollup/${id}`), { status: 200, body: { message: 'success' } })
    assert.notEqual((await api.get(`/rollup/${id}`)).status, 200)
    assert.equal((await api.get<number>('/rollup/count')).body, 2)
    assert.ok(actions.includes(`create ${id}`) && actions.includes(`delete ${id}`))
  })

  test('a rollup of an operator waits for an admin', async () => {
    const { body } = await call('POST', '/rollup/new', entry('Operator Made'), keys.operator)
    const id = Number(body?.id)
    assert.notEqual(await countOf(id), 437)
    const { body: waiting } = await call('GET', '/rollup/unverified')
    const names = (waiting as unknown as { name: string; slug: string }[]).map(({ name }) => name)
    assert.deepEqual(names, ['Hibachi', 'Operator Made'])
    assert.deepEqual(await call('PATCH', `/rollup/${id}/verify`), { status: 200, body: { message: 'success' } })
    assert.equal(await countOf(id), 437)
    await call('PATCH', `/rollup/${id}`, { providers: [{ namespace: NAMESPACE }] })
    assert.equal(await countOf(id), 430, 'other providers, other blobs')
    await call('PATCH', `/rollup/${id}`, { description: 'changed' }, keys.operator)
    assert.notEqual((await api.get(`/rollup/${id}`)).status, 200, 'a change by an operator has to be verified again')
  })

  test('only what is given and not empty changes', async () => {
    await call('PATCH', '/rollup/1', { name: 'Forma', website: '', color: '#abcdef' })
    const { body } = await api.get<Record<string, unknown>>('/rollup/slug/forma')
    assert.deepEqual([body.id, body.website, body.color, body.vm], [1, 'https://forma.example', '#abcdef', 'evm'])
    assert.equal((await call('PATCH', '/rollup/4711', { name: 'Nobody' })).status, 204)
    for (const [method, path] of [
      ['PATCH', '/rollup/4711/verify'],
      ['DELETE', '/rollup/4711'],
    ] as const)
      assert.equal((await call(method, path)).status, 400)
  })

  test('refuses what is not a rollup and says which field', async () => {
    const cases: [unknown, string | undefined][] = [
      [entry('', {}), 'name'],
      [entry('A', { logo: undefined }), 'logo'],
      [entry('A', { logo: 'javascript:alert(1)' }), 'logo'],
      [entry('A', { website: 'nowhere' }), 'website'],
      [entry('A', { bridge: '0x12' }), 'bridge'],
      [entry('A', { color: 'red' }), 'color'],
      [entry('A', { category: 'cats' }), 'category'],
      [entry('A', { links: ['x'] }), 'links'],
      [entry('A', { tags: 'zk' }), 'tags'],
      [entry('A', { providers: [] }), 'providers'],
      [entry('A', { providers: [{}] }), 'providers'],
      [entry('A', { description: 'a\u0000b' }), 'description'],
      [entry('A', { description: 'a\ud800b' }), 'description'],
      [entry('A', { name: 7 }), 'name'],
      [[], 'body'],
      ['{"name"', 'body'],
      [entry('Movement labs'), undefined],
    ]
    for (const [body, param] of cases) {
      const answer = await call('POST', '/rollup/new', body)
      assert.deepEqual([answer.status, answer.body?.param], [400, param], JSON.stringify(body))
    }
    assert.equal((await call('POST', '/rollup/new', entry('A', { providers: [{ address: NOBODY }] }))).status, 400)
    const namespace = Buffer.alloc(29, 7).toString('base64')
    assert.equal(
      (await call('POST', '/rollup/new', entry('A', { providers: [{ namespace }] }))).status,
      500,
      'as the contract says',
    )
    assert.equal((await call('PATCH', '/rollup/0', {})).status, 400)
    assert.equal((await call('PATCH', '/rollup/x', {})).status, 400)
    assert.equal((await call('POST', '/rollup/new', `"${'x'.repeat(2 ** 21)}"`)).status, 413)
    assert.equal((await call('POST', '/rollup/new?network=other', entry('A'))).status, 400)
    assert.equal((await call('GET', '/rollup/new')).status, 405)
    assert.equal((await call('GET', '/nothing')).status, 404)
  })

  test('does ten things at once, each for itself', async () => {
    const { status, body } = await call('POST', '/bulk', {
      rollups: [entry('Bulk One'), { id: 2, vm: 'evm' }, { id: 4711, vm: 'x' }, entry('Bulk One'), { id: 0, name: 'Half' }],
    })
    assert.equal(status, 200)
    const results = body as unknown as { id?: number; error?: string }[]
    assert.deepEqual(
      results.map(({ id, error }) => (id === undefined ? typeof error : 'id')),
      ['id', 'id', 'string', 'string', 'string'],
    )
    assert.equal((await api.get<{ vm: string }>('/rollup/2')).body.vm, 'evm')
    assert.equal((await call('POST', '/bulk', { rollups: Array(11).fill({ id: 1 }) })).status, 400)
    for (const nothing of [{}, { rollups: null }]) {
      const answer = await call('POST', '/bulk', nothing)
      assert.deepEqual([answer.status, answer.body?.param], [400, 'rollups'])
    }
  })

  test('takes the keys of a body in any case', async () => {
    const upper = (object: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(object).map(([key, value]) => [key.toUpperCase(), value]))
    const { status, body } = await call('POST', '/rollup/new', upper(entry('Loud', { providers: [{ Address: SIGNER }] })))
    assert.equal(status, 200)
    const item = upper({ id: body?.id, vm: 'wasm' })
    assert.deepEqual((await call('POST', '/bulk', { Rollups: [item] })).body, [{ id: body?.id }])
    assert.equal((await api.get<{ vm: string }>('/rollup/slug/loud')).body.vm, 'wasm')
  })

  test('tells an operator how a network stands: index, indexer, nodes, rollbacks, sources, audit', async () => {
    observer.became('writer')
    observer.rolledBack(100, 97)
    observer.sampled({ from: 300, to: 399 }, ['money of accounts'])
    await noteFailure(sql as unknown as SqlPool, SCHEMA, 'price', 'no answer')
    const { status, body } = await call('GET', '/status', undefined, keys.operator)
    assert.equal(status, 200)
    const head = (await api.get<{ last_height: number; chain_id: string }>('/head')).body
    assert.deepEqual([body?.network, body?.chain_id, body?.height], ['main', head.chain_id, head.last_height])
    assert.deepEqual(body?.sources, [{ source: 'price', checked_at: null, error: 'no answer' }])
    const at = new Date(0).toISOString()
    assert.deepEqual(body?.indexer, {
      status: 'starting',
      role: 'writer',
      nodes: [{ node: 'node', quarantined: 'lied', failures: 2 }],
      rollbacks: { count: 1, last: { at, from: 100, to: 97 } },
      audit: { at, from: 300, to: 399, violations: ['money of accounts'] },
    })
    assert.equal((await call('GET', '/status', undefined, keys.client)).status, 401)
    assert.equal((await call('GET', '/status?network=nowhere')).status, 400)
  })

  test('the page asks for the key at its own address, and the public page does not serve it', async () => {
    const page = await app.inject('/')
    assert.match(page.body, /<title>Operator/)
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.body)?.[1]
    assert.equal((await app.inject(script!)).statusCode, 200)
    const open = fastify()
    registerPage(open, { network: 'main', networks: () => [], newestHeight: () => undefined })
    assert.equal((await open.inject('/operator.html')).statusCode, 404)
  })
})
