import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { WebSocket } from 'ws'
import { ApiError, type Client, createClient } from '../../src/client/client.ts'
import { type LiveState, type Notice, openLive } from '../../src/client/live.ts'
import { describeKeySurface } from '../../src/client-generator/describe.ts'
import { writeOperations } from '../../src/client-generator/write-operations.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { type Api, startApi } from '../live/stack.ts'
import { devnetUrl } from '../support/database.ts'

let api: Api
let client: Client

before(async () => {
  api = await startApi(devnetUrl)
  client = createClient({ baseUrl: api.url })
})

test('the committed client is what the description of the key surface says', () => {
  const committed = readFileSync(packagePath('src/client/gen/operations.ts'), 'utf8')
  assert.equal(committed, writeOperations(describeKeySurface()), 'run `npm run gen`')
})

test('path and query inputs reach the route they belong to', async () => {
  const block = await client.getBlock({ height: 390, stats: true })
  assert.equal(block?.height, 390)
  assert.ok(block.stats)
  const txs = await client.listTxs({ height: 390, msg_type: ['MsgSend', 'MsgVote'], limit: 2 })
  assert.ok(txs.length === 2 && txs.every(({ height, message_types }) => height === 390 && message_types.includes('MsgSend')))
})

test('inputs that are undefined are not sent', async () => {
  assert.equal((await client.listBlocks({ limit: undefined as never, sort: 'desc' })).length, 10)
})

test('characters of base64 survive the way into a path and a query', async () => {
  const [namespace] = await client.listNamespaces({ limit: 1 })
  assert.ok(namespace)
  assert.equal((await client.getNamespaceByHash({ hash: namespace.hash }))?.id, namespace.id)
  const [hit] = await client.search({ query: namespace.hash })
  assert.equal(hit?.type, 'namespace')
})

test('inputs of a POST go into its body', async () => {
  const [blob] = (await client.listBlobs({ limit: 1 })) ?? []
  assert.ok(blob)
  const found = await client.getBlobMetadata({ hash: blob.namespace, height: blob.height, commitment: blob.commitment })
  assert.equal(found?.id, blob.id)
})

test('what is not there is undefined', async () => {
  assert.equal(await client.getBlock({ height: 9_999_999 }), undefined)
})

test('a refusal tells status, code and the parameter that is wrong', async () => {
  await assert.rejects(client.listTxs({ limit: 101 }), (error: unknown) => {
    assert.ok(error instanceof ApiError)
    assert.deepEqual([error.status, error.param], [400, 'limit'])
    assert.ok(error.requestId)
    return true
  })
})

test('headers of an answer can be read before its body', async () => {
  let height: string | null = null
  const head = await client.getHead({}, { onResponse: ({ headers }) => (height = headers.get('x-indexed-height')) })
  assert.equal(Number(height), head?.last_height)
})

test('a lost connection is opened again and subscribes again', async () => {
  const first = await startApi(devnetUrl)
  const { port } = new URL(first.url)
  const states: LiveState[] = []
  const notices: Notice[] = []
  let onState = () => {}
  const live = openLive({
    url: first.wsUrl,
    channels: ['head', 'blocks'],
    onNotice: (notice) => notices.push(notice),
    onState: (state) => {
      states.push(state)
      onState()
    },
    WebSocket: WebSocket as never,
    random: () => 0,
  })
  const reached = (state: LiveState, times: number) =>
    new Promise<void>((done) => {
      onState = () => states.filter((seen) => seen === state).length >= times && done()
      onState()
    })
  await reached('open', 1)
  await first.stop()
  await reached('waiting', 1)
  const second = await startApi(devnetUrl, { port: Number(port) })
  await reached('open', 2)
  live.close()
  await second.stop()
  assert.equal(states.at(-1), 'closed')
  assert.deepEqual(notices, [], 'both subscriptions were accepted, and the chain stood still')
})
