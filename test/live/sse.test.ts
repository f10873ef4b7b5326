import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { freshDatabase } from '../support/database.ts'
import { EventReader } from './event-source.ts'
import { type Api, startApi, startIndexer, startNode } from './stack.ts'
import { WsClient } from './ws-client.ts'

let node: ReplayNode
let api: Api

before(async () => {
  const url = await freshDatabase()
  node = await startNode({ recording: 'test-1', startHeight: 40 })
  const indexer = startIndexer(url, [node])
  await indexer.reached(40)
  api = await startApi(url, { limits: { pingMs: 30, replayBlocks: 30 } })
})

test('events carry the same notifications as the socket, one stream with several channels', async () => {
  const reader = await EventReader.open(`${api.url}/v1/sse?channel=head,blocks,gas_price`)
  assert.equal(reader.response.statusCode, 200)
  assert.equal(reader.response.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(reader.response.headers['access-control-allow-origin'], '*')
  await node.advance()
  const events = await reader.collect(3)
  assert.deepEqual(
    events.map(({ event }) => event),
    ['head', 'blocks', 'gas_price'],
  )
  assert.deepEqual(JSON.parse(events[1]!.data), {
    channel: 'blocks',
    body: await api.get(`/v1/block/${node.height}?stats=true`),
  })
  reader.close()
})

test('a reader that was cut off continues behind its last event', async () => {
  const first = await EventReader.open(`${api.url}/v1/sse?channel=blocks`)
  await node.advance(2)
  const [, seen] = await first.collect(2)
  first.close()
  await node.advance(3)
  const second = await EventReader.open(`${api.url}/v1/sse?channel=blocks`, { 'last-event-id': seen!.id! })
  const ids = (await second.collect(3)).map(({ id }) => Number(id))
  assert.deepEqual(ids, [node.height - 2, node.height - 1, node.height])
  second.close()
})

test('a filter that matches nothing still moves the place to go on from', async () => {
  const namespace = Buffer.concat([Buffer.alloc(20), Buffer.from('nobody-ev')]).toString('base64')
  const reader = await EventReader.open(`${api.url}/v1/sse?channel=blobs&namespace=${encodeURIComponent(namespace)}`)
  const blocks = await EventReader.open(`${api.url}/v1/sse?channel=blocks`)
  await node.advance()
  await blocks.collect(1)
  for (let i = 0; reader.events.at(-1)?.id !== String(node.height); i++) {
    assert.ok(i < 200, 'no beat named the height')
    await new Promise((resolve) => reader.response.once('data', resolve))
  }
  assert.ok(reader.events.every(({ data }) => data === ''))
  reader.close()
  blocks.close()
})

test('what cannot be streamed is refused with 400 and the parameter', async () => {
  for (const [query, param] of [
    ['', 'channel'],
    ['channel=nothing', 'channel'],
    ['channel=blocks,txs', 'channel'],
    ['channel=blocks&from_height=x', 'from_height'],
    ['channel=blocks&from_height=1', 'from_height'],
    ['channel=blobs&namespace=zz', 'namespace'],
  ]) {
    const answer = await fetch(`${api.url}/v1/sse?${query}`)
    assert.equal(answer.status, 400, query)
    assert.equal(((await answer.json()) as { param: string }).param, param, query)
  }
})

test('the description names the stream with its inputs, and the WebSocket with its messages', async () => {
  const { paths } = await api.get('/openapi.json')
  const { parameters, responses } = paths['/v1/sse'].get
  assert.deepEqual(
    parameters.map(({ name, required }: { name: string; required: boolean }) => [name, required]),
    [
      ['channel', true],
      ['from_height', false],
      ['namespace', false],
      ['signer', false],
      ['address', false],
    ],
  )
  assert.deepEqual(Object.keys(responses['200'].content), ['text/event-stream'])
  for (const channel of parameters[0].schema.items.enum) {
    const reader = await EventReader.open(`${api.url}/v1/sse?channel=${channel}`)
    assert.equal(reader.response.statusCode, 200, channel)
    reader.close()
  }
  const socket = paths['/v1/ws'].get
  assert.ok('101' in socket.responses && '429' in socket.responses)
  const filters = Object.keys(socket['x-websocket'].request.oneOf[0].properties.body.properties.filters.properties)
  assert.deepEqual(filters, ['from_height', 'namespace', 'signer', 'address', 'ack'])
})

test('closing the server ends the streams, and whoever comes back meanwhile is not answered', async () => {
  // The server waits until this client has answered the closing handshake.
  const slow = await WsClient.open(api.wsUrl)
  slow.socket.pause()
  const reader = await EventReader.open(`${api.url}/v1/sse?channel=head`)
  const stopped = api.stop()
  await reader.ended()
  // The event source of a browser tries again after this, and never again after a status such as 503.
  await assert.rejects(EventReader.open(`${api.url}/v1/sse?channel=head`), { code: 'ECONNREFUSED' })
  slow.socket.resume()
  await stopped
})
