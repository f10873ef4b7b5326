import assert from 'node:assert/strict'
import { once } from 'node:events'
import { before, test } from 'node:test'
import pg from 'pg'
import { systemClock } from '../../src/lib/clock.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { openHeadAnnouncer } from '../../src/store/write/source-head.ts'
import { freshDatabase } from '../support/database.ts'
import { SCHEMA } from '../support/templates.ts'
import { type Api, type Indexer, startApi, startIndexer, startNode } from './stack.ts'
import { heightsOf, WsClient } from './ws-client.ts'

let url: string
let node: ReplayNode
let indexer: Indexer
let api: Api

before(async () => {
  url = await freshDatabase()
  node = await startNode({ recording: 'devnet', startHeight: 100 })
  indexer = startIndexer(url, [node], { announce: false })
  await indexer.reached(100)
  api = await startApi(url)
})

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('each block pushes head, the block and the gas price, equal to what REST answers', async () => {
  const client = await WsClient.open(api.wsUrl)
  for (const channel of ['head', 'blocks', 'gas_price']) await client.subscribed(channel)
  const from = client.notices.length
  await node.advance()
  await client.find(({ channel }) => channel === 'gas_price', from)
  const [head, block, gas] = client.notices.slice(from)
  assert.deepEqual([head?.channel, block?.channel, gas?.channel], ['head', 'blocks', 'gas_price'])
  assert.deepEqual(head?.body, await api.get('/v1/head'))
  assert.deepEqual(block?.body, await api.get(`/v1/block/${node.height}?stats=true`))
  assert.deepEqual(gas?.body, await api.get('/v1/gas/price'))
  await client.close()
})

test('subscribing twice gives every block once, and no acknowledgement unless asked for', async () => {
  const client = await WsClient.open(api.wsUrl)
  client.subscribe('blocks')
  client.subscribe('blocks')
  const next = await client.subscribed('blocks', { from_height: 5 })
  assert.equal(next, node.height + 1, 'the first subscription stays as it was')
  await node.advance(2)
  await client.collect('blocks', 2)
  client.unsubscribe('blocks', { ack: true })
  await client.find(({ channel, body }) => channel === 'ack' && body.method === 'unsubscribe')
  assert.deepEqual(
    client.notices.map(({ channel }) => channel),
    ['ack', 'blocks', 'blocks', 'ack'],
  )
  await client.close()
})

test('after unsubscribing nothing comes any more', async () => {
  const [client, witness] = [await WsClient.open(api.wsUrl), await WsClient.open(api.wsUrl)]
  for (const each of [client, witness]) await each.subscribed('gas_price')
  client.unsubscribe('gas_price', { ack: true })
  await client.find(({ body }) => body.method === 'unsubscribe')
  await node.advance()
  await witness.collect('gas_price', 1)
  await client.subscribed('head')
  assert.deepEqual(
    client.notices.map(({ channel }) => channel),
    ['ack', 'ack', 'ack'],
  )
  for (const each of [client, witness]) await each.close()
})

test('from_height replays and continues live without a gap or a repeat', async () => {
  const from = node.height - 60
  const client = await WsClient.open(api.wsUrl)
  client.subscribe('blocks', { from_height: from })
  for (let i = 0; i < 10; i++) {
    await client.collect('blocks', 1 + i * 5)
    await node.advance()
  }
  const blocks = await client.collect('blocks', 71)
  assert.deepEqual(heightsOf(blocks), range(from, from + 70))
  assert.deepEqual(blocks[3], await api.get(`/v1/block/${from + 3}?stats=true`))
  await client.close()
})

test('from_height of a later block waits for it, one beyond the replay limit is refused', async () => {
  const far = await startApi(url, { limits: { replayBlocks: 20 } })
  const client = await WsClient.open(far.wsUrl)
  client.subscribe('blocks', { from_height: node.height - 20 })
  const refusal = await client.find(({ channel }) => channel === 'error')
  assert.equal(refusal.body.code, 4)
  assert.match(String(refusal.body.message), new RegExp(`${node.height - 19}$`))
  const later = node.height + 2
  assert.equal(await client.subscribed('blocks', { from_height: later }), later)
  await node.advance(3)
  assert.deepEqual(heightsOf(await client.collect('blocks', 2)), [later, later + 1])
  await client.close()
  await far.stop()
})

/** Tells readers that the source is at this height. */
async function announceHead(height: number): Promise<void> {
  const announcer = openHeadAnnouncer({ url, schema: SCHEMA })
  announcer.announce({ height, time: '2026-01-01T00:00:00Z' })
  await announcer.close()
}

test('many heights at once come whole to those who follow, and only the newest to those who just came', async () => {
  const [follower, newcomer] = [await WsClient.open(api.wsUrl), await WsClient.open(api.wsUrl)]
  const start = node.height
  await follower.subscribed('blocks', { from_height: start })
  await follower.collect('blocks', 1)
  await newcomer.subscribed('blocks')
  // Blocks may come in several commits: the first of them must find the head of the source known.
  await announceHead(start + 40)
  node.setHeight(start + 40)
  await indexer.reached(start + 40)
  assert.deepEqual(heightsOf(await follower.collect('blocks', 41)), range(start, start + 40))
  const seen = heightsOf(await newcomer.collect('blocks', 11))
  assert.deepEqual(seen, range(start + 30, start + 40))
  for (const each of [follower, newcomer]) await each.close()
})

test('heights far behind the head of the source are not pushed, except to those who asked for them', async () => {
  const [asker, idler] = [await WsClient.open(api.wsUrl), await WsClient.open(api.wsUrl)]
  await asker.subscribed('blocks', { from_height: node.height })
  for (const channel of ['head', 'blocks', 'gas_price']) await idler.subscribed(channel)
  const subscribed = idler.notices.length
  await announceHead(node.height + 12)
  await node.advance()
  await asker.collect('blocks', 2)
  assert.equal(idler.notices.length, subscribed)
  await node.advance()
  await idler.find(({ channel }) => channel === 'gas_price', subscribed)
  assert.deepEqual(
    idler.notices.slice(subscribed).map(({ channel, body }) => [channel, body.height ?? body.last_height]),
    [
      ['head', node.height],
      ['blocks', node.height],
      ['gas_price', undefined],
    ],
  )
  for (const each of [asker, idler]) await each.close()
})

test('without notices the poll finds every block', async () => {
  const deaf = await startApi(url, { listen: false, pollMs: 20 })
  const client = await WsClient.open(deaf.wsUrl)
  const first = await client.subscribed('blocks')
  await node.advance(5)
  assert.deepEqual(heightsOf(await client.collect('blocks', 5)), range(first!, first! + 4))
  await client.close()
  await deaf.stop()
})

test('notices are heard again after the connection for them was cut, and what was missed comes with the next', async () => {
  const unpolled = await startApi(url, { pollMs: 1_000_000 })
  const client = await WsClient.open(unpolled.wsUrl)
  const first = await client.subscribed('blocks')
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name ~ '^astrolabe read '`,
  )
  await admin.end()
  const isHeard = once(client.socket, 'message').then(() => true)
  for (let i = 0; ; i++) {
    assert.ok(i < 20, 'no notice was heard any more')
    await node.advance()
    await indexer.reached(node.height)
    if (await Promise.race([isHeard, systemClock.sleep(200).then(() => false)])) break
  }
  const seen = heightsOf(await client.collect('blocks', node.height - first! + 1))
  assert.deepEqual(seen, range(first!, node.height))
  await client.close()
  await unpolled.stop()
})

test('txs and blobs of a height come as REST lists them', async () => {
  const client = await WsClient.open(api.wsUrl)
  const from = 60
  client.subscribe('txs', { from_height: from })
  client.subscribe('blobs', { from_height: from })
  const rows = (channel: string, height: number) =>
    client.notices
      .filter((notice) => notice.channel === channel)
      .flatMap(({ body }) => body as unknown as { height: number }[])
      .filter((row) => row.height === height)
  for (const height of range(from, from + 9)) {
    const txs = await api.get(`/v1/tx?height=${height}&sort=asc&limit=100`)
    const blobs = await api.get(`/v1/block/${height}/blobs?sort=asc&limit=100`)
    await client.find(({ channel, body }) => channel === 'txs' && isAfter(body, height))
    await client.find(({ channel, body }) => channel === 'blobs' && isAfter(body, height))
    assert.deepEqual(rows('txs', height), txs)
    assert.deepEqual(rows('blobs', height), blobs)
  }
  await client.close()
})

const isAfter = (body: unknown, height: number) => (body as { height: number }[]).some((row) => row.height > height)

test('filters leave the blobs of a namespace and signer', async () => {
  const blobs: BlobItem[] = await api.get('/v1/blob?limit=100&sort=asc')
  const { namespace, signer } = blobs.at(-1)!
  const wanted = blobs.filter((blob) => blob.namespace === namespace && blob.signer.hash === signer.hash)
  const client = await WsClient.open(api.wsUrl)
  client.subscribe('blobs', { from_height: 0, namespace, signer: [signer.hash] })
  const ids: number[] = []
  while (ids.length < wanted.length) ids.push(...((await client.next()).body as unknown as BlobItem[]).map(({ id }) => id))
  assert.ok(wanted.length < blobs.length)
  assert.deepEqual(
    ids.slice(0, wanted.length),
    wanted.map(({ id }) => id),
  )
  await client.close()
})

type BlobItem = { id: number; height: number; namespace: string; signer: { hash: string } }

/** Hashes of the first `count` successful txs that a filter leaves, from the start of the chain. */
async function readTxHashes(filter: Record<string, unknown>, count: number): Promise<string[]> {
  const client = await WsClient.open(api.wsUrl)
  client.subscribe('txs', { from_height: 0, ...filter })
  const hashes: string[] = []
  while (hashes.length < count) {
    const txs = (await client.next()).body as unknown as { hash: string; status: string }[]
    hashes.push(...txs.filter(({ status }) => status === 'success').map(({ hash }) => hash))
  }
  await client.close()
  return hashes.slice(0, count)
}

test('filters leave the txs that name an address or write to a namespace', async () => {
  const [{ namespace, signer }]: [BlobItem] = await api.get('/v1/blob?limit=1&sort=asc')
  const messages: { tx: { hash: string; status: string } }[] = await api.get(
    `/v1/address/${signer.hash}/messages?limit=60&sort=asc`,
  )
  const named = [...new Set(messages.filter(({ tx }) => tx.status === 'success').map(({ tx }) => tx.hash))]
  assert.deepEqual(await readTxHashes({ address: signer.hash }, named.length), named)

  const blobs: { tx_hash: string }[] = await api.get(
    `/v1/blob?limit=60&sort=asc&namespaces=${namespace.replaceAll('/', '_').replaceAll('+', '-')}`,
  )
  const written = [...new Set(blobs.map((blob) => blob.tx_hash))]
  assert.deepEqual(await readTxHashes({ namespace }, written.length), written)
})
