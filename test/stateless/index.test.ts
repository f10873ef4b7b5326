import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { HeadWatch } from '../../src/api/head-watch.ts'
import { bindGet } from '../../src/api/http/bind.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { createKeyTools } from '../../src/mcp/key-tools.ts'
import { CATALOG } from '../../src/operations/catalog.ts'
import { type Operations, openOperations } from '../../src/operations/serve-operations.ts'
import { auditIndex } from '../../src/store/audit/audit.ts'
import { openReader, snapshot } from '../../src/store/db.ts'
import { loadRollups } from '../../src/store/rollups/edit-rollups.ts'
import type { Json } from '../../src/types/effects.ts'
import { anAccount } from '../builders.ts'
import { type Api, openBlocks, startApi, startIndexer, startNode } from '../live/stack.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { devnetUrl, freshDatabase } from '../support/database.ts'
import { SCHEMA } from '../support/templates.ts'
import { clientOf, makeKey, openWebhookApi } from '../webhooks/stack.ts'

/** A node that was pruned up to here; the index begins one block higher, and nobody recorded the votes for the last block. */
const EARLIEST = 370
const FROM = EARLIEST + 1
const LAST = 402
const CHAIN = 'astrolabe-devnet-1'

let url: string
let whole: Api
let stateless: Api

before(async () => {
  const node = await startNode({ recording: 'devnet', startHeight: LAST, faults: { pruned: { blocks: EARLIEST } } })
  url = await freshDatabase()
  await loadRollups(url, SCHEMA, packagePath('data/recordings/devnet/rollups.json'))
  let unverified = 0
  await startIndexer(url, [node], { follow: false, verifyCommits: true, from: FROM, onUnverified: () => unverified++ }).ended
  assert.equal(unverified, 0)
  const blocks = openBlocks([node], CHAIN)
  ;[whole, stateless] = [await startApi(devnetUrl, { blocks }), await startApi(url, { blocks })]
})

/** Columns that differ: numbers given in the order of first appearance, descriptions of validators, and what is counted from the first block on. */
const OWN = new Set(['id', 'moniker', 'size', 'blobs_count', 'pfb_count', 'first_height'])

function withoutOwn(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutOwn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, OWN.has(key) ? null : withoutOwn(inner)]))
}

// biome-ignore lint/suspicious/noExplicitAny: the test looks into answers as it needs
async function assertSame(path: string): Promise<any> {
  const [expected, found] = [await whole.get(path), await stateless.get(path)]
  assert.deepEqual(withoutOwn(found), withoutOwn(expected), path)
  return found
}

/** Rows of a list of the whole index that the other one has too: those from its first block on. */
async function assertSameRows(path: string): Promise<{ hash: string; height: number }[]> {
  const [expected, found] = [await whole.get(path), await stateless.get(path)]
  assert.ok(found.length > 10, `${path}: ${found.length} rows`)
  assert.deepEqual(withoutOwn(found), withoutOwn(expected.slice(0, found.length)), path)
  assert.ok((expected[found.length]?.height ?? 0) < FROM, path)
  return found
}

test('blocks, their txs, messages, events and blobs are those of the whole index', async () => {
  await assertSameRows(`/v1/block?limit=100&sort=desc&stats=true&cursor=${LAST + 2}`)
  const txs = await assertSameRows(`/v1/tx?limit=100&sort=desc&messages=true`)
  await assertSameRows('/v1/blob?limit=100&sort=desc')
  for (const height of [FROM, FROM + 1, ...new Set(txs.map(({ height }) => height))].slice(0, 8))
    for (const part of ['/events?limit=100', '/messages?limit=100', '/blobs?limit=100', '/stats', '/ods', '/proof'])
      await assertSame(`/v1/block/${height}${part}`)
  for (const { hash } of txs.slice(0, 5))
    for (const part of ['', '/events', '/messages', '/blobs', '/proof']) await assertSame(`/v1/tx/${hash}${part}`)
})

test('contents of blobs, their proofs and their namespaces are there', async () => {
  const [blob] = await stateless.get('/v1/blob?limit=1&sort=desc')
  const named = { height: blob.height, hash: blob.namespace, commitment: blob.commitment }
  for (const path of ['/v1/blob', '/v1/blob/metadata', '/v1/blob/proofs']) {
    const [expected, found] = [await whole.post(path, named), await stateless.post(path, named)]
    assert.equal(found.status, 200, path)
    assert.deepEqual(withoutOwn(JSON.parse(found.text)), withoutOwn(JSON.parse(expected.text)), path)
  }
  const { namespace_id: id, version } = await assertSame(`/v1/namespace_by_hash/${encodeURIComponent(blob.namespace)}`)
  const listed = await whole.get(`/v1/namespace/${id}/${version}/blobs?limit=100&sort=desc`)
  const recent = listed.filter(({ height }: { height: number }) => height >= FROM)
  const found = await stateless.get(`/v1/namespace/${id}/${version}/blobs?limit=100&sort=desc`)
  assert.deepEqual(withoutOwn(found), withoutOwn(recent))
  assert.equal((await stateless.get(`/v1/namespace/${id}/${version}`)).blobs_count, found.length)
})

test('lists begin with the first block, and nothing below it is made up', async () => {
  const heights = async (path: string) => (await stateless.get(path)).map(({ height }: { height: number }) => height)
  assert.deepEqual(await heights('/v1/block?limit=2'), [FROM, FROM + 1])
  assert.deepEqual(await heights('/v1/block?limit=1&offset=5'), [FROM + 5])
  assert.equal((await fetch(`${stateless.url}/v1/block/${FROM - 1}`)).status, 204)
  assert.equal((await fetch(`${stateless.url}/v1/block/0`)).status, 204)
  assert.equal(await stateless.get('/v1/block/count'), LAST - FROM + 1)
  const txs = await stateless.get('/v1/tx/count')
  const series = await stateless.get('/v1/stats/series/tx_count/year')
  assert.equal(
    series.reduce((sum: number, { value }: { value: string }) => sum + Number(value), 0),
    txs,
  )
})

test('the head has no totals and says where the index begins', async () => {
  const { total_tx, total_supply, no_state_before, last_height, hash } = await stateless.get('/v1/head')
  assert.deepEqual(
    { total_tx, total_supply, no_state_before },
    { total_tx: undefined, total_supply: undefined, no_state_before: FROM },
  )
  assert.deepEqual([last_height, hash], [LAST, (await whole.get(`/v1/block/${LAST}`)).hash.toLowerCase()])
  assert.equal((await whole.get('/v1/head')).no_state_before, undefined)
})

test('search finds blocks, txs, blobs and namespaces, and neither accounts nor validators', async () => {
  const types = async (text: string) =>
    (await stateless.get(`/v1/search?query=${encodeURIComponent(text)}`)).map(({ type }: { type: string }) => type)
  const [blob] = await stateless.get('/v1/blob?limit=1&sort=desc')
  const block = await stateless.get(`/v1/block/${LAST}?stats=true`)
  assert.deepEqual(await types(String(LAST)), ['block'])
  assert.deepEqual(await types(block.hash), ['block'])
  assert.deepEqual(await types(blob.tx_hash), ['tx'])
  assert.deepEqual(await types(blob.commitment), ['blob'])
  assert.deepEqual(await types(blob.namespace), ['namespace'])
  assert.deepEqual(await types(blob.signer.hash), [])
  assert.deepEqual(await types(block.proposer.cons_address), [])
})

/** Routes of which some inputs need the state, and those that compare hours which a young index does not have. */
const SOMETIMES = /^\/v1\/stats\/(summary|tps|changes_24h)/

/** A value for every parameter that is bound before a route is asked. */
const SAMPLES: Record<string, string> = {
  hash: anAccount('alice').text,
  height: String(LAST),
  name: 'tx_count',
  timeframe: 'day',
  table: 'validator',
  function: 'count',
  priority: 'slow',
  slug: 'none',
  version: '0',
}

test('a route either answers or says that it needs the state, as its description tells', async () => {
  const { paths } = await stateless.get('/v1/swagger/doc.json')
  const refused: string[] = []
  const served: string[] = []
  for (const [path, { get }] of Object.entries<{ get?: { responses: object } }>(paths)) {
    if (!get || /ws$|sse$/.test(path)) continue
    const isOfTx = path.startsWith('/v1/tx/') || path.startsWith('/v1/namespace_by_hash')
    const samples = { ...SAMPLES, ...(isOfTx && { hash: 'ab'.repeat(32) }) }
    const target = path.replace(/\{(\w+)\}/g, (_, name: string) => samples[name as keyof typeof samples] ?? '1')
    const { status, code } = await ask(`${target}?sizes=1`)
    if (409 in get.responses) {
      assert.ok(status === 409 || status === 400, `${path}: ${status}`)
      if (status === 409) refused.push(path)
      assert.ok(status !== 409 || code === 'no_state', path)
    } else {
      assert.ok(status < 500 && (status !== 409 || SOMETIMES.test(path)), `${path}: ${status} ${code}`)
      served.push(path)
    }
  }
  assert.ok(refused.length > 50 && served.length > 50, `${refused.length} refused, ${served.length} served`)
  for (const path of [
    '/v1/address/{hash}',
    '/v1/supply',
    '/v1/constants',
    '/v1/tx/genesis',
    '/v1/validators',
    '/v1/gas/estimate_for_pfb',
  ])
    assert.ok(refused.includes(path), path)
})

async function ask(path: string): Promise<{ status: number; code?: string; message?: string }> {
  const answer = await fetch(`${stateless.url}${path}`)
  const text = await answer.text()
  return { status: answer.status, ...(answer.status >= 400 && JSON.parse(text)) }
}

test('the refusal names the height and what to do; a part of an answer that needs the state is refused too', async () => {
  const { status, code, message } = await ask('/v1/supply')
  assert.deepEqual([status, code], [409, 'no_state'])
  assert.match(message!, new RegExp(`begins at height ${FROM} without the state .* ask an index that begins with genesis`))
  for (const path of ['/v1/stats/summary/validator/count', '/v1/stats/series?timeframe=day&cumulative=true'])
    assert.equal((await ask(path)).status, 409, path)
  assert.match((await ask('/v1/stats/changes_24h')).message!, /does not reach back the 48 hours that this answer compares/)
  assert.equal((await ask('/v1/stats/summary/tx/count')).status, 200)
})

async function openStateless(): Promise<Operations> {
  const db = openReader({ url, schema: SCHEMA, max: 2 })
  const watch = new HeadWatch(db, { schema: SCHEMA })
  await watch.start()
  const network = { name: 'main', chainId: CHAIN, kind: 'main' } as const
  const blocks = { read: async () => undefined }
  const operations = openOperations({ network, db, watch, head: () => watch.head, blocks, now: () => Date.now() })
  closeAfterwards(async () => {
    operations.close()
    await watch.stop()
    await db.end()
  })
  return operations
}

test('what is sold is not offered where it cannot be answered', async () => {
  const operations = await openStateless()
  const isSold = (id: string) => {
    try {
      operations.check(CATALOG.find((operation) => operation.id === id)!)
      return true
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'no_state')
      return false
    }
  }
  const sold = CATALOG.map(({ id }) => id).filter(isSold)
  for (const id of ['getHead', 'getBlock', 'getTransaction', 'listBlobs']) assert.ok(sold.includes(id), id)
  for (const id of ['getConstants', 'getAddress', 'listAddresses']) assert.ok(!sold.includes(id), id)
})

test('tools for agents say why they cannot answer', async () => {
  const tools = createKeyTools(await openStateless(), assert.ifError)
  const call = (id: string, target: string, params: Record<string, string> = {}) => {
    const operation = CATALOG.find((each) => each.id === id)!
    return tools.call(operation, { asked: bindGet(operation, target, params), params, target, headers: {} }, {})
  }
  const hash = anAccount('alice').text
  const refused = await call('getAddress', `/v1/address/${hash}`, { hash })
  assert.ok(refused.isError)
  assert.match(JSON.stringify(refused.content), new RegExp(`begins at height ${FROM} without the state`))
  assert.ok(!(await call('getBlock', `/v1/block/${LAST}`, { height: String(LAST) })).isError)
})

test('a webhook for what is never sent here is refused', async () => {
  const key = await makeKey(url)
  const client = clientOf(await openWebhookApi(url), key)
  const create = (settings: object) => client('POST', '/webhooks', { url: 'http://127.0.0.1:9/', ...settings })
  for (const event of ['proposal', 'validator.jailed', 'ibc_transfer']) {
    const { status, body } = await create({ events: ['block', event] })
    assert.deepEqual([status, body.code], [409, 'no_state'], event)
  }
  const early = await create({ events: ['block'], from: FROM - 1 })
  assert.deepEqual([early.status, early.body.param], [400, 'from'])
  assert.equal((await create({ events: ['block', 'tx', 'blob', 'transfer'], from: FROM })).status, 200)
})

test('the audit finds nothing, and says what it skips', async () => {
  const db = openReader({ url, schema: SCHEMA, max: 1 })
  closeAfterwards(() => db.end())
  const found: string[] = []
  const skipped: string[] = []
  await snapshot(db, async (sql) => {
    for await (const { name, violations, isSkipped } of auditIndex(sql)) {
      if (isSkipped) skipped.push(name)
      found.push(...violations.map(({ detail }) => `${name}: ${detail}`))
    }
  })
  assert.deepEqual(found, [])
  assert.ok(skipped.includes('balances sum up to the supply') && skipped.includes('rewards and commissions of validators'))
})
