import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../support/database.ts'
import { longTest } from '../support/long-test.ts'
import { delayBranch, readForged, renameBranch, toRaw } from './branches.ts'
import { followBranches, holdBlocks } from './follow.ts'
import { type Api, type Indexer, startApi, startIndexer, startNode } from './stack.ts'
import { WsClient } from './ws-client.ts'

/** A request that was not answered before makes a process look where the head is. */
let asked = 0
const look = (api: Api) => api.get(`/v1/block/${++asked}/stats`)

async function startForked({
  common = 60,
  ...pushed
}: {
  pollMs?: number
  listen?: boolean
  /** the last height that both branches have */
  common?: number
}): Promise<{ api: Api; indexer: Indexer; fork: () => Promise<void> }> {
  const url = await freshDatabase()
  const node = await startNode({ recording: 'test-1', startHeight: 60 })
  const indexer = startIndexer(url, [node])
  await indexer.reached(60)
  const api = await startApi(url, pushed)
  const branch = toRaw(delayBranch(await readForged('test-1', common, 70), 2))
  return {
    api,
    indexer,
    async fork() {
      await node.advance(5)
      await indexer.reached(65)
      await look(api)
      node.fork(branch)
      await node.advance(2)
      await indexer.reached(67)
    },
  }
}

test('over a fork head comes with the lower height and the new branch follows block by block', async () => {
  const { api, fork } = await startForked({})
  const client = await WsClient.open(api.wsUrl)
  for (const channel of ['head', 'blocks']) await client.subscribed(channel)
  await fork()
  await client.find(({ channel, body }) => channel === 'blocks' && body.height === 67)
  const chain = followBranches(client.notices)
  for (const height of [61, 65, 67]) assert.equal(chain.get(height), (await api.get(`/v1/block/${height}`)).hash)
  assert.ok(client.notices.some(({ channel, body }) => channel === 'head' && body.last_height === 60))
  await client.close()
})

test('a process that slept through the fork still tells of the height it went back to', async () => {
  const { api, fork } = await startForked({ listen: false, pollMs: 1_000_000 })
  const client = await WsClient.open(api.wsUrl)
  for (const channel of ['head', 'blocks']) await client.subscribed(channel)
  const late = await WsClient.open(api.wsUrl)
  await fork()
  await client.find(({ channel, body }) => channel === 'blocks' && body.height === 65)
  await look(api)
  await client.find(({ channel, body }) => channel === 'blocks' && body.height === 67)
  followBranches(client.notices)
  const heads = client.notices.filter(({ channel }) => channel === 'head').map(({ body }) => body)
  assert.deepEqual(
    heads.map(({ last_height }) => last_height),
    [65, 60, 67],
  )
  const [block60, state] = [await api.get('/v1/block/60'), heads[1]!]
  assert.equal(String(state.hash).toUpperCase(), block60.hash)
  assert.equal(state.last_time, block60.time)
  late.subscribe('blocks', { from_height: 55 })
  assert.equal((await late.collect('blocks', 13)).at(-1)?.height, 67)
  followBranches(late.notices)
  for (const each of [client, late]) await each.close()
})

test('a fork below the first height of a subscriber is told as reverted, and the connection stays', async () => {
  const { api, fork } = await startForked({ common: 50 })
  const client = await WsClient.open(api.wsUrl)
  assert.equal(await client.subscribed('blocks'), 61)
  await fork()
  const { body } = await client.find(({ channel }) => channel === 'reverted')
  assert.deepEqual(body, { height: 60 })
  await client.find(({ channel, body }) => channel === 'blocks' && body.height === 67)
  const told = client.notices.findIndex(({ channel }) => channel === 'reverted')
  const again = client.notices.slice(told + 1).map(({ body }) => body)
  assert.deepEqual(
    again.map(({ height }) => height),
    [61, 62, 63, 64, 65, 66, 67],
  )
  for (const { height, hash } of again) assert.equal(hash, (await api.get(`/v1/block/${height}`)).hash)
  await client.close()
})

longTest('a second fork below what the first one sent leaves no subscriber on a dead branch', async () => {
  const url = await freshDatabase()
  const node = await startNode({ recording: 'devnet', startHeight: 250 })
  const indexer = startIndexer(url, [node])
  await indexer.reached(250)
  const api = await startApi(url)
  const [live, replayed] = [await WsClient.open(api.wsUrl), await WsClient.open(api.wsUrl)]
  assert.equal(await live.subscribed('blocks'), 251)
  assert.equal(await replayed.subscribed('blocks', { from_height: 220 }), 220)
  await node.advance(5)
  for (const client of [live, replayed]) await client.find(({ body }) => body.height === 255)
  for (const [name, first] of [
    ['one', 235],
    ['two', 208],
  ] as const) {
    node.fork(toRaw(renameBranch(await readForged('devnet', first, 260), name)))
    await node.advance()
    const head = node.height
    for (const client of [live, replayed]) await client.find(({ body }) => body.height === head)
    for (const client of [live, replayed])
      for (const [height, hash] of holdBlocks(client.notices))
        assert.equal(hash, (await api.get(`/v1/block/${height}`)).hash, `block ${height} after fork ${name}`)
  }
  for (const client of [live, replayed]) await client.close()
})
