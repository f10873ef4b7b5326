import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { buildOperatorApi } from '../../src/operator/server.ts'
import { KeyRing } from '../../src/store/access/key-ring.ts'
import { createKey } from '../../src/store/access/keys.ts'
import { openPool, openReader } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { openGuardedApi, openManager, SECRETS } from '../access/guarded-api.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { freshDatabase } from '../support/database.ts'
import { SCHEMA } from '../support/templates.ts'
import { random } from './hostile-values.ts'

type Target = { method: 'POST' | 'PATCH' | 'DELETE'; url: string; on: 'key' | 'operator'; body: unknown }

const ADDRESS = 'celestia1w4dvevy0zm70yss42h4k597at605fn388cmm78'
const NAMESPACE = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAGhpYmFjaGk='
const BLOB = { hash: NAMESPACE, height: 20, commitment: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' }
const WEBHOOK = {
  url: 'http://127.0.0.1:9/path',
  events: ['transfer', 'tx'],
  filters: { address: [ADDRESS], denom: 'utia', min_amount: '5' },
  description: 'a note',
  from: 20,
}
const ROLLUP = {
  name: 'a rollup',
  description: 'about it',
  logo: 'https://example.org/logo.png',
  tags: ['zk'],
  links: ['https://example.org'],
  providers: [{ address: ADDRESS, namespace: NAMESPACE }],
}
const KEY = {
  name: 'a key',
  restrictions: {
    origins: ['https://app.example'],
    addresses: ['192.0.2.0/24'],
    networks: ['main'],
    operations: ['get-block', 'list-blocks'],
  },
}
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'getBlock', arguments: { height: 7 }, _meta: {} } }

const VALUES: unknown[] = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'a\udfffb',
    '\ufeff',
    '🔭',
    '\u202e',
    "'",
    '"',
    '\\',
    '%00',
    '$1',
    '__proto__',
    'constructor',
  ],
  ...[
    'x'.repeat(5000),
    '9'.repeat(400),
    "'; drop table webhook; --",
    '<script>alert(1)</script>',
    'http://127.0.0.1:9/\0',
    'http://[',
  ],
  ...[0, -0, -1, 1.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, 1e21, Number.MIN_VALUE],
  ...[null, true, false, [], {}, [[]], [null], [''], ['\0'], { a: '\0' }, { '\0': 1 }, Array(200).fill('x'), { length: 5 }],
  JSON.parse('{"__proto__":{"url":"x"},"constructor":{"prototype":{}}}'),
]

/** What is no JSON, or not only. */
const RAW = [
  '',
  ' ',
  '{',
  '[',
  '"',
  'null',
  'true',
  '1',
  '"text"',
  '[]',
  '{}',
  '{}{}',
  '\ufeff{}',
  '{"a":1,}',
  '\0',
  '[[[[[[[[[[[[',
  '{"url":',
]
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'text/plain',
  'application/x-www-form-urlencoded',
  '',
]

/** A value with one hostile change somewhere in it. */
function mutate(value: unknown, next: () => number): unknown {
  const pick = () => VALUES[Math.floor(next() * VALUES.length)]
  if (typeof value !== 'object' || value === null || next() < 0.15) return pick()
  if (Array.isArray(value)) {
    const at = Math.floor(next() * (value.length + 1))
    return at === value.length ? [...value, pick()] : value.map((item, i) => (i === at ? mutate(item, next) : item))
  }
  const entries = Object.entries(value)
  const at = Math.floor(next() * (entries.length + 1))
  if (at === entries.length) return { ...value, [['extra', '\0', '__proto__', 'URL', ''][Math.floor(next() * 5)]!]: pick() }
  if (next() < 0.1) return Object.fromEntries(entries.filter((_, i) => i !== at))
  return Object.fromEntries(entries.map(([name, item], i) => [name, i === at ? mutate(item, next) : item]))
}

/** Sends hostile bodies to every route that takes one, and to those that take none. */
export async function fuzzBodies({ seed, cases }: { seed: number; cases: number }): Promise<{ sent: number; refused: number }> {
  const url = await freshDatabase('devnet')
  const sql = openPool('access', { url, schema: SHARED_SCHEMA })
  const db = openReader({ url, schema: SCHEMA, max: 2 })
  const failures: unknown[] = []
  const plans = [{ name: 'free', requests_per_second: 1_000_000, webhooks: 3 }]
  const target = { allowHttp: true, privateTargets: ['127.0.0.1'], timeoutMs: 200, resolve: async () => ['127.0.0.1'] }
  const api = await openGuardedApi(url, {
    mcp: true,
    access: { plans },
    webhooks: { deliver: false, target },
    exemptLoopback: true,
  })
  const [client, admin] = await Promise.all(
    (['client', 'admin'] as const).map((role) => createKey(sql, SECRETS, { role, plan: 'free', label: role })),
  )
  const ring = new KeyRing(sql, SECRETS)
  await ring.refresh()
  await api.service.parts.ring.refresh()
  const networks = [{ name: 'main', url, schema: SCHEMA, db }]
  const operator = buildOperatorApi({ networks, ring, accounts: openManager(sql), sql, onError: (error) => failures.push(error) })
  closeAfterwards(async () => {
    await Promise.all([api.close(), operator.close()])
    await Promise.all([db.end(), sql.end()])
  })
  const key = { apikey: client!.text }
  const created = await api.app.inject({ method: 'POST', url: '/v1/webhooks', headers: key, payload: WEBHOOK })
  const { id } = created.json() as { id: string }
  const onKey = (method: Target['method'], path: string, body: unknown): Target => ({ method, url: path, on: 'key', body })
  const onOperator = (method: Target['method'], path: string, body: unknown): Target => ({
    method,
    url: `/v1/auth${path}`,
    on: 'operator',
    body,
  })
  const onKeys = [
    ...['', '/metadata', '/proofs'].map((path) => onKey('POST', `/v1/blob${path}`, BLOB)),
    onKey('POST', '/v1/webhooks', WEBHOOK),
    onKey('PATCH', `/v1/webhooks/${id}`, WEBHOOK),
    ...['pause', 'resume', 'rotate', 'deliveries/msg_1/replay'].map((path) => onKey('POST', `/v1/webhooks/${id}/${path}`, {})),
    onKey('DELETE', '/v1/webhooks/wh_other', {}),
    onKey('POST', '/v1/keys', KEY),
    onKey('POST', `/v1/keys/${client!.id}/rotate`, { grace_hours: -1 }),
    onKey('DELETE', '/v1/keys/other', {}),
    onKey('POST', '/mcp', CALL),
  ]
  const onOperators = [
    onOperator('POST', '/rollup/new', ROLLUP),
    onOperator('PATCH', '/rollup/1', ROLLUP),
    onOperator('POST', '/accounts', { ...KEY, plan: 'free', test_networks: true, expires_at: '2099-01-31' }),
    onOperator('PATCH', `/accounts/${client!.account}`, { plan: 'free' }),
    onOperator('POST', `/accounts/${client!.account}/keys`, KEY),
    onOperator('POST', '/keys/other/rotate', { grace_hours: 1 }),
    onOperator('POST', '/bulk', { rollups: [ROLLUP, { id: 1, ...ROLLUP }] }),
  ]
  const next = random(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  const count = { sent: 0, refused: 0 }
  for (; count.sent < cases; count.sent++) {
    // A change of the registry that is taken links all blobs again.
    const { method, url: path, on, body } = pick(next() < 0.9 ? onKeys : onOperators)
    const text = next() < 0.1 ? pick(RAW) : JSON.stringify(mutate(body, next))
    const isPacked = next() < 0.05
    const answer = await (on === 'key' ? api.app : operator).inject({
      method,
      url: path,
      headers: {
        ...(on === 'key' ? key : { authorization: `Bearer ${admin!.text}` }),
        accept: 'application/json, text/event-stream',
        'content-type': next() < 0.9 ? 'application/json' : pick(TYPES),
        ...(isPacked && { 'content-encoding': next() < 0.8 ? 'gzip' : 'br' }),
      },
      payload: isPacked && next() < 0.9 ? gzipSync(text) : text,
      remoteAddress: '127.0.0.1',
    })
    const { statusCode: status, payload } = answer
    const what = `SEED=${seed} ${method} ${path} ${text.slice(0, 300)} → ${status} ${payload.slice(0, 200)}`
    assert.ok(status < 500, `${what} ${String(failures.at(-1))}`)
    if (status >= 400) {
      count.refused++
      if (path !== '/mcp') assert.ok((JSON.parse(payload) as { message?: string }).message, what)
    } else if (method === 'POST' && path === '/v1/webhooks')
      await sql`delete from webhook where id = ${(answer.json() as { id: string }).id}`
    else if (method === 'POST' && path.endsWith('/keys'))
      await sql`delete from api_key where id = ${(answer.json() as { id: string }).id}`
    else if (path === `/v1/keys/${client!.id}/rotate`)
      await sql`update api_key set expires_at = null, replaced_by = null where id = ${client!.id}`
  }
  return count
}
