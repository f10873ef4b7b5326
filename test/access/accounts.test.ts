import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildOperatorApi } from '../../src/operator/server.ts'
import { createKey, listKeys } from '../../src/store/access/keys.ts'
import { openReader, type SqlPool } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { SCHEMA } from '../support/templates.ts'
import { openGuardedApi, openManager, SECRETS, SMALL_PLAN, type TestApi } from './guarded-api.ts'

type Body = Record<string, unknown> & { id: string; text: string; message: string; code: string; param?: string }
type Account = { account: string; plan: string; valid_until: string | null; keys: { id: string; name: string; state: string }[] }

/** Receivers on this machine, which nothing is sent to. */
const target = { allowHttp: true, privateTargets: ['127.0.0.1'], timeoutMs: 200 }
const plans = [{ name: 'free', requests_per_second: 1000, webhooks: 5 }, SMALL_PLAN]

describe('accounts', () => {
  let url: string
  let api: TestApi
  let sql: SqlPool
  before(async () => {
    url = await freshDatabase('devnet')
    api = await openGuardedApi(url, { access: { plans }, mcp: true, push: true, webhooks: { deliver: false, target } })
    sql = api.service.sql
  })
  after(() => api.close())

  const make = async (label: string, more: object = {}) => {
    const made = await createKey(sql, SECRETS, { role: 'client', plan: 'free', label, ...more })
    await api.service.parts.ring.refresh()
    return made
  }
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, key: string, body?: unknown, more: object = {}) => {
    const answer = await api.app.inject({
      method,
      url: path,
      headers: { apikey: key, ...(body !== undefined && { 'content-type': 'application/json' }), ...more },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    await api.service.parts.ring.refresh()
    return { status: answer.statusCode, body: answer.json() as Body, headers: answer.headers }
  }
  const account = async (key: string) => (await call('GET', '/v1/account', key)).body as unknown as Account

  test('the holder of a key sees its account: plan, validity, keys without their text, webhooks', async () => {
    const expiresAt = new Date('2099-01-31T00:00:00Z')
    const { text, id, account: name } = await make('whole', { expiresAt })
    const hook = { url: 'http://127.0.0.1:9/hook', events: ['block'] }
    const { body: webhook } = await call('POST', '/v1/webhooks', text, hook)
    const { status, body, headers } = await call('GET', '/v1/account', text)
    assert.equal(status, 200)
    assert.match(String(headers['cache-control']), /no-store/)
    assert.ok(!JSON.stringify(body).includes(text))
    assert.deepEqual([body.account, body.plan, body.valid_until, body.key], [name, 'free', '2099-01-31T00:00:00Z', id])
    assert.deepEqual(
      (body.keys as Body[]).map((key) => [key.id, key.name, key.state]),
      [[id, 'whole', 'active']],
    )
    assert.deepEqual(
      (body.webhooks as Body[]).map((each) => [each.id, each.network, each.url]),
      [[webhook.id, 'main', hook.url]],
    )
    const anonymous = await api.app.inject({ url: '/v1/account' })
    assert.deepEqual([anonymous.statusCode, anonymous.json<Body>().code], [401, 'key_required'])
  })

  test('keys are made with a name, rotated and revoked by a key of the account', async () => {
    const expiresAt = new Date('2099-01-31T00:00:00Z')
    const first = await make('first', { plan: 'small', expiresAt })
    const { status, body: second } = await call('POST', '/v1/keys', first.text, { name: 'second' })
    assert.equal(status, 200)
    assert.deepEqual(
      [second.name, second.expires_at],
      ['second', '2099-01-31T00:00:00Z'],
      'no longer life than the key that made it',
    )
    assert.equal((await account(second.text)).plan, 'small')
    const { body: third } = await call('POST', `/v1/keys/${second.id}/rotate`, second.text, { grace_hours: 0 })
    assert.equal(third.name, 'second')
    assert.deepEqual((await call('GET', '/v1/head', second.text)).body.code, 'key_expired')
    const { body: gone } = await call('DELETE', `/v1/keys/${first.id}`, third.text)
    assert.equal(gone.state, 'revoked')
    assert.deepEqual((await call('GET', '/v1/head', first.text)).body.code, 'key_revoked')
    assert.deepEqual(
      (await account(third.text)).keys.map(({ name, state }) => [name, state]),
      [
        ['first', 'revoked'],
        ['second', 'expired'],
        ['second', 'active'],
      ],
    )
  })

  test('the last key that can change keys is not revoked, and keys of others are unknown', async () => {
    const own = await make('last')
    const other = await make('other')
    await call('POST', '/v1/keys', own.text, { name: 'restricted', restrictions: { networks: ['main'] } })
    const last = await call('DELETE', `/v1/keys/${own.id}`, own.text)
    assert.deepEqual([last.status, last.body.code], [409, 'last_key'])
    for (const [method, path] of [
      ['DELETE', `/v1/keys/${other.id}`],
      ['POST', `/v1/keys/${other.id}/rotate`],
      ['DELETE', '/v1/keys/nothing'],
    ] as const) {
      const { status, body } = await call(method, path, own.text)
      assert.deepEqual([status, body.code], [404, 'unknown_key'], path)
    }
    assert.equal((await call('GET', '/v1/head', other.text)).status, 200)
  })

  test('an account can be looked after when its plan is used up', async () => {
    const { text } = await make('spent', { plan: 'small' })
    for (let i = 0; i < 60; i++) if ((await call('GET', '/v1/head', text)).status === 429) break
    assert.equal((await call('GET', '/v1/head', text)).status, 429)
    assert.equal((await call('GET', '/v1/account', text)).status, 200)
    assert.equal((await call('POST', '/v1/keys', text, { name: 'new' })).status, 200)
  })

  test('wrong input is refused with the place that is wrong', async () => {
    const { text, id, account: name } = await make('wrong')
    const cases: [body: unknown, param: string][] = [
      [{}, 'body'],
      [{ name: '' }, 'name'],
      [{ name: 'x', plan: 'small' }, 'plan'],
      [{ name: 'x', restrictions: { origins: [] } }, 'restrictions.origins'],
      [{ name: 'x', restrictions: { origins: ['https://a.example/path'] } }, 'restrictions.origins'],
      [{ name: 'x', restrictions: { addresses: ['192.0.2.0/99'] } }, 'restrictions.addresses'],
      [{ name: 'x', restrictions: { networks: ['mainnet'] } }, 'restrictions.networks'],
      [{ name: 'x', restrictions: { operations: ['get-blok'] } }, 'restrictions.operations'],
      [{ name: 'x\0' }, 'name'],
    ]
    for (const [body, param] of cases) {
      const answer = await call('POST', '/v1/keys', text, body)
      assert.deepEqual([answer.status, answer.body.param], [400, param], JSON.stringify(body))
    }
    const rotation = await call('POST', `/v1/keys/${id}/rotate`, text, { grace_hours: -1 })
    assert.deepEqual([rotation.status, rotation.body.param], [400, 'grace_hours'])
    assert.equal((await listKeys(sql, name)).length, 1)
  })

  test('a key for some origins, addresses or networks is refused elsewhere, with a sentence', async () => {
    const page = await make('page', { restrictions: { origins: ['https://app.example'] } })
    assert.equal((await call('GET', '/v1/head', page.text, undefined, { origin: 'https://app.example' })).status, 200)
    for (const origin of [{}, { origin: 'https://other.example' }, { origin: 'https://app.example.evil' }]) {
      const { status, body } = await call('GET', '/v1/head', page.text, undefined, origin)
      assert.deepEqual([status, body.code], [403, 'key_restricted'])
      assert.match(body.message, /^the key "page" is restricted: it is for pages of https:\/\/app\.example, and the request/)
    }
    const near = await make('near', { restrictions: { addresses: ['127.0.0.0/8'] } })
    const far = await make('far', { restrictions: { addresses: ['192.0.2.0/24', '2001:db8::/32'] } })
    assert.equal((await call('GET', '/v1/head', near.text)).status, 200)
    assert.match((await call('GET', '/v1/head', far.text)).body.message, /other client addresses/)
    const elsewhere = await make('elsewhere', { restrictions: { networks: ['test'] } })
    assert.match((await call('GET', '/v1/head', elsewhere.text)).body.message, /for the networks test, and this is main/)
  })

  test('a key for some operations is refused for others: over REST, by agents, on sockets and for webhooks', async () => {
    const { text } = await make('one', { restrictions: { operations: ['get-head'] } })
    assert.equal((await call('GET', '/v1/head', text)).status, 200)
    const tool = async (name: string, args: object) => {
      const params = { name, arguments: args }
      const answer = await api.app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { apikey: text, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
      return answer.payload
    }
    assert.ok(!(await tool('getHead', {})).includes('is restricted'))
    assert.match(await tool('getBlock', { height: 7 }), /is restricted/)
    for (const path of ['/v1/block/7', '/v1/webhooks', '/v1/account', '/v1/usage', '/v1/sse?channel=head']) {
      const { status, body } = await call('GET', path, text)
      assert.deepEqual([status, body.code], [403, 'key_restricted'], path)
    }
    const upgrade = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    }
    await api.app.listen({ port: 0, host: '127.0.0.1' })
    const address = api.app.server.address() as { port: number }
    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      const asked = request({ port: address.port, path: '/v1/ws', headers: { ...upgrade, apikey: text } }, ({ statusCode }) =>
        resolve(statusCode),
      )
      asked
        .on('upgrade', (_, socket) => resolve(socket.destroy() && 101))
        .on('error', reject)
        .end()
    })
    assert.equal(status, 403)
  })

  test('a restricted key neither shows nor changes what the account owns, unless it names the operation', async () => {
    const owner = await make('owner')
    const { body: page } = await call('POST', '/v1/keys', owner.text, { name: 'page', restrictions: { networks: ['main'] } })
    assert.equal((await call('GET', '/v1/block/7', page.text)).status, 200)
    const refused = await call('POST', '/v1/keys', page.text, { name: 'free again' })
    assert.deepEqual([refused.status, refused.body.code], [403, 'key_restricted'])
    const operations = ['get-account', 'get-usage']
    const { body: reader } = await call('POST', '/v1/keys', owner.text, { name: 'reader', restrictions: { operations } })
    assert.equal((await account(reader.text)).keys.length, 3)
    const { body: rotated } = await call('POST', `/v1/keys/${reader.id}/rotate`, owner.text)
    assert.deepEqual(rotated.restrictions, { operations }, 'a rotation keeps restrictions')
  })

  test('operators see accounts, usage, the log and revenue by their role; admins change them', async () => {
    const db = openReader({ url, schema: SCHEMA, max: 1 })
    const keys = {
      admin: await createKey(sql, SECRETS, { role: 'admin', plan: 'free', label: 'admin' }),
      operator: await createKey(sql, SECRETS, { role: 'operator', plan: 'free', label: 'operator' }),
    }
    await api.service.parts.ring.refresh()
    const { ring } = api.service.parts
    const app = buildOperatorApi({ networks: [{ name: 'main', url, schema: SCHEMA, db }], ring, accounts: openManager(sql), sql })
    const ask = async (
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      path: string,
      body?: unknown,
      role: keyof typeof keys = 'admin',
    ) => {
      const answer = await app.inject({
        method,
        url: `/v1/auth${path}`,
        headers: { authorization: `Bearer ${keys[role].text}`, 'content-type': 'application/json' },
        payload: body === undefined ? '' : JSON.stringify(body),
      })
      await ring.refresh()
      return { status: answer.statusCode, body: answer.json() as Body & { keys: Body[]; account: string } }
    }
    const { body: made } = await ask('POST', '/accounts', { name: 'Acme', plan: 'free' })
    assert.equal((await call('GET', '/v1/head', made.text)).status, 200)
    const { body: second } = await ask('POST', `/accounts/${made.account}/keys`, { name: 'second' })
    assert.equal((await ask('PATCH', `/accounts/${made.account}`, { plan: 'small' })).body.plan, 'small')
    assert.equal((await account(second.text)).plan, 'small')
    assert.equal((await ask('DELETE', `/keys/${made.id}`)).status, 200)
    assert.equal((await call('GET', '/v1/head', made.text)).status, 401)
    const { body: shown } = await ask('GET', `/accounts/${made.account}`, undefined, 'operator')
    assert.deepEqual([shown.name, shown.active_keys, shown.keys.map(({ state }) => state)], ['Acme', 1, ['revoked', 'active']])
    const listed = (await ask('GET', '/accounts?limit=100', undefined, 'operator')).body as unknown as { account: string }[]
    assert.ok(listed.some((row) => row.account === made.account) && !listed.some((row) => row.account === keys.admin.account))
    const [last] = (await ask('GET', `/log?account=${made.account}`, undefined, 'operator')).body as unknown as Body[]
    assert.deepEqual([last?.action, last?.actor_kind, last?.actor, last?.key_id], ['revoke_key', 'admin', keys.admin.id, made.id])
    assert.deepEqual((await ask('GET', '/revenue')).body.rows, [])

    for (const [method, path] of [
      ['POST', '/accounts'],
      ['PATCH', `/accounts/${made.account}`],
      ['POST', `/accounts/${made.account}/keys`],
      ['DELETE', `/keys/${second.id}`],
      ['POST', `/keys/${second.id}/rotate`],
      ['GET', '/revenue'],
    ] as const)
      assert.equal((await ask(method, path, method === 'GET' ? undefined : {}, 'operator')).status, 403, path)
    const wrong: [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown, status: number, what: string][] = [
      ['POST', '/accounts', { name: 'x', plan: 'gold' }, 400, 'plan'],
      ['POST', '/accounts', { name: 'x', plan: 'free', expires_at: '2020-01-01' }, 400, 'expires_at'],
      ['POST', '/accounts', { name: 'x', plan: 'free', role: 'admin' }, 400, 'role'],
      ['POST', '/accounts', { name: 'x', plan: 'free', expires_at: '2099-99-99' }, 400, 'expires_at'],
      ['POST', '/accounts', { name: 'x', plan: 'free', expires_at: '2099-01-01T9:9:9:9Z' }, 400, 'expires_at'],
      ['POST', '/accounts', { name: 'a\0b', plan: 'free' }, 400, 'name'],
      ['POST', `/accounts/${made.account}/keys`, { name: 'a\udfffb' }, 400, 'name'],
      [
        'POST',
        `/accounts/${made.account}/keys`,
        { name: 'x', restrictions: { networks: ['\0'] } },
        400,
        'restrictions.networks.0',
      ],
      ['PATCH', '/accounts/acc_nobody', { plan: 'free' }, 404, 'unknown_account'],
      ['DELETE', `/keys/${keys.operator.id}`, undefined, 403, 'key_of_operator'],
      ['POST', `/accounts/${keys.admin.account}/keys`, { name: 'x' }, 404, 'unknown_account'],
      ['GET', '/accounts/%00', undefined, 400, 'account'],
      ['GET', '/log?limit=1000', undefined, 400, 'limit'],
    ]
    for (const [method, path, body, status, what] of wrong) {
      const answer = await ask(method, path, body)
      assert.deepEqual([answer.status, answer.body.param ?? answer.body.code], [status, what], `${method} ${path}`)
    }
    await app.close()
    await db.end()
  })
})
