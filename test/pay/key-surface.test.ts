import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HeadWatch } from '../../src/api/head-watch.ts'
import { bindGet } from '../../src/api/http/bind.ts'
import { buildApi } from '../../src/api/server.ts'
import { decodeAccount } from '../../src/lib/encoding/bech32.ts'
import { CATALOG } from '../../src/operations/catalog.ts'
import { createLookup, isAnswer, type Lookup } from '../../src/operations/lookup.ts'
import { type Operations, openOperations } from '../../src/operations/serve-operations.ts'
import { type Db, openReader } from '../../src/store/db.ts'
import { CHAIN_ID } from '../builders.ts'
import { devnetUrl } from '../support/database.ts'
import { SCHEMA } from '../support/templates.ts'

/** Sold answers on the recorded main chain: the key surface's objects plus the declared fields, and the inputs only this surface has. */

type Json = Record<string, unknown>

let db: Db
let lookup: Lookup
let key: ReturnType<typeof buildApi>
let operations: Operations
let watch: HeadWatch

before(async () => {
  db = openReader({ url: devnetUrl, schema: SCHEMA, max: 4 })
  watch = new HeadWatch(db, { schema: SCHEMA })
  await watch.start()
  const network = { name: 'main', chainId: CHAIN_ID, kind: 'main' } as const
  const blocks = { read: async () => undefined }
  const ctx = { network, db, watch, head: () => watch.head, blocks, now: () => Date.now() }
  key = buildApi(ctx)
  operations = openOperations(ctx, { validateResponses: true })
  lookup = createLookup(operations)
})
after(async () => {
  operations.close()
  await key.close()
  await watch.stop()
  await db.end()
})

/** Asks like a paid request, behind the payment. */
async function ask(target: string): Promise<{ status: number; json: unknown }> {
  const [path = ''] = target.split('?')
  for (const operation of CATALOG) {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const match = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path)
    if (!match) continue
    const params = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(match[i + 1]!)]))
    const result = await lookup(operation, bindGet(operation, target, params))
    return {
      status: result.status,
      json: isAnswer(result) && result.status === 200 ? JSON.parse(String(result.body)) : undefined,
    }
  }
  throw new Error(`nothing is sold at ${path}`)
}

const one = async (target: string) => {
  const { status, json } = await ask(target)
  assert.equal(status, 200, target)
  return json as Json
}
const rows = async (target: string) => (await one(target)) as unknown as Json[]

async function keyGet(path: string): Promise<unknown> {
  const { payload } = await key.inject({ method: 'GET', url: path })
  return JSON.parse(payload)
}

const assertStrings = (record: Json, ...names: string[]) => {
  for (const name of names) assert.equal(typeof record[name], 'string', name)
}

test('head counts the blocks', async () => {
  const head = await one('/v1/head?format=json')
  assert.equal(head.total_blocks, (head.last_height as number) + 1)
  assertStrings(head, 'last_time', 'chain_id')
})

test('every answer says which head it was read at, also when it is made of several', async () => {
  const { last_height } = await one('/v1/head')
  const operation = (id: string) => CATALOG.find((candidate) => candidate.id === id)!
  for (const [id, params] of [
    ['getHead', {}],
    ['getTps', {}],
    ['getAddress', { hash: 'ab'.repeat(20) }],
  ] as [string, Record<string, string>][]) {
    const found = await lookup(operation(id), bindGet(operation(id), '', params))
    assert.equal(isAnswer(found) && found.height, last_height, id)
  }
})

test('constants can be narrowed to a module', async () => {
  const all = (await one('/v1/constants')) as { module: Json }
  const blob = (await one('/v1/constants?module=blob')) as { module: Json }
  assert.deepEqual(blob.module, { blob: all.module.blob })
  assert.deepEqual(((await one('/v1/constants?module=toString')) as { module: Json }).module, {})
})

test('blocks come newest first, with stats when asked for', async () => {
  const { last_height } = await one('/v1/head')
  const blocks = await rows('/v1/block?stats=true')
  assert.equal(blocks.length, 10)
  assert.equal(blocks[0]!.height, last_height)
  assert.ok(blocks[0]!.stats)
  assert.equal((await rows('/v1/block?sort=asc&limit=1'))[0]!.height, 0)
  const block = await one('/v1/block/7')
  assertStrings(block, 'hash', 'time')
  assert.equal(typeof block.proposer, 'object')
  assert.ok('gas_used' in (await one('/v1/block/7/stats')))
})

test('an address is found in all its forms and shows its money at top level', async () => {
  const [listed] = await rows('/v1/address?sort_by=spendable&limit=1')
  assertStrings(listed!, 'hash', 'spendable', 'delegated', 'unbonding')
  const hash = listed!.hash as string
  const found = await one(`/v1/address/${hash}`)
  assert.equal(found.spendable, (found.balance as Json).spendable)
  assert.deepEqual(await one(`/v1/address/${decodeAccount(hash)}`), found)
  assert.deepEqual(await one(`/v1/address/0x${decodeAccount(hash)!.toUpperCase()}`), found)
})

test('an unknown address is 204, every other unknown record 404', async () => {
  assert.equal((await ask(`/v1/address/${'ab'.repeat(20)}`)).status, 204)
  const unknown = [
    `/v1/tx/${'ab'.repeat(32)}`,
    `/v1/tx/${'ab'.repeat(32)}/messages`,
    '/v1/block/99999999',
    '/v1/block/9999999999999',
    '/v1/block/99999999/stats',
    '/v1/validators/99999',
    '/v1/rollup/99999',
    `/v1/namespace_by_hash/${encodeURIComponent(Buffer.alloc(29, 7).toString('base64'))}`,
    `/v1/namespace/${'ab'.repeat(28)}/0/blobs`,
    `/v1/address/${'ab'.repeat(20)}/txs`,
  ]
  for (const target of unknown) assert.equal((await ask(target)).status, 404, target)
})

test('transactions come newest first and by hash', async () => {
  const [newest] = await rows('/v1/tx?limit=1')
  assert.equal(newest!.id, ((await keyGet('/v1/tx?sort=desc&limit=1')) as Json[])[0]!.id)
  const hash = newest!.hash as string
  const tx = await one(`/v1/tx/${hash.toUpperCase()}`)
  assertStrings(tx, 'hash', 'status')
  assert.equal(typeof tx.gas_used, 'number')
  assert.equal((await rows(`/v1/tx/0x${hash}/messages`)).length, tx.messages_count)
  for (const failed of await rows('/v1/tx?status=failed&msg_type=MsgPayForBlobs,MsgSend')) assert.equal(failed.status, 'failed')
  const signer = (tx.signers as Json[])[0]!.hash as string
  const signed = await rows(`/v1/address/${signer}/txs?limit=100`)
  assert.ok(signed.some(({ id }) => id === tx.id))
})

test('blobs can be narrowed to a namespace by its hex id and to signers in hex', async () => {
  const [blob] = await rows('/v1/blob?limit=1')
  const bytes = Buffer.from(blob!.namespace as string, 'base64')
  const id = bytes.subarray(1).toString('hex')
  const inNamespace = await rows(`/v1/blob?namespace_id=${id}&limit=5`)
  assert.ok(inNamespace.length > 0)
  for (const { namespace } of inNamespace) assert.equal(namespace, blob!.namespace)
  const signer = decodeAccount((blob!.signer as Json).hash as string)
  assert.ok((await rows(`/v1/blob?signers=${signer}`)).length > 0)
  assert.deepEqual(await rows(`/v1/blob?namespace_id=${'ab'.repeat(28)}`), [])
  const listed = await rows(`/v1/namespace/${id}/${bytes[0]}/blobs?limit=1`)
  assert.ok(listed[0]!.commitment)
  assert.equal((await one(`/v1/namespace_by_hash/${encodeURIComponent(blob!.namespace as string)}`)).namespace_id, id)
})

test('namespaces and rollups are sorted by what was asked, largest first', async () => {
  for (const sort_by of ['pfb_count', 'size']) {
    const values = (await rows(`/v1/namespace?sort_by=${sort_by}&limit=50`)).map((row) => row[sort_by] as number)
    assert.deepEqual(
      values,
      values.toSorted((a, b) => b - a),
    )
  }
  for (const sort_by of ['blobs_count', 'size', 'pfb_count', 'last_message_time']) {
    const listed = await rows(`/v1/rollup?sort_by=${sort_by}&limit=50`)
    const values = listed.map((row) => row[sort_by] as number | string)
    assert.ok(values.length > 0)
    assert.deepEqual(
      values,
      values.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)),
      sort_by,
    )
  }
  const byPfbs = await rows('/v1/rollup?sort_by=pfb_count&limit=50')
  assert.deepEqual(await rows('/v1/rollup?sort_by=pfb_count&limit=1&offset=1'), byPfbs.slice(1, 2))
  assert.equal((await one(`/v1/rollup/${byPfbs[0]!.id}`)).id, byPfbs[0]!.id)
})

test('validators show the declared fields as strings', async () => {
  const [listed] = await rows('/v1/validators?limit=1')
  assertStrings(listed!, 'moniker', 'address', 'voting_power', 'commission')
  const found = await one(`/v1/validators/${listed!.id}`)
  assert.deepEqual(found, listed)
  assert.match(found.address as string, /^celestiavaloper1/)
})

test('search finds what the key surface finds', async () => {
  assert.deepEqual(await one('/v1/search?query=7'), await keyGet('/v1/search?query=7'))
})

test('transactions per second are counted over the window', async () => {
  for (const [window, seconds] of [
    ['1m', 60],
    ['5m', 300],
    ['1h', 3600],
    ['24h', 86_400],
  ] as const) {
    const tps = await one(`/v1/stats/tps?window=${window}`)
    assert.equal(tps.window, window)
    assert.equal(tps.tps, (tps.tx_count as number) / seconds)
    assert.ok('high' in tps)
  }
  const { total_tx } = (await keyGet('/v1/head')) as Json
  const day = await one('/v1/stats/tps?window=24h')
  assert.ok((day.tx_count as number) > 0 && (day.tx_count as number) <= (total_tx as number))
})

const enumOf = (schema: object) => (schema as { enum: string[] }).enum

test('every series name is sold for every timeframe', async () => {
  const { params } = CATALOG.find(({ id }) => id === 'getSeries')!
  for (const name of enumOf(params.name!))
    for (const timeframe of enumOf(params.timeframe!)) {
      const points = await rows(`/v1/stats/series/${name}/${timeframe}`)
      assert.ok(points.length > 0, `${name} ${timeframe}`)
      for (const point of points) assertStrings(point, 'time', 'value')
    }
  assert.deepEqual(await rows('/v1/stats/series/rbps/day?from=2000000000'), [])
})
