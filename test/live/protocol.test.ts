import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { devnetUrl } from '../support/database.ts'
import { type ApiSetup, startApi, waitUntil } from './stack.ts'
import { type Notice, WsClient } from './ws-client.ts'

const errors = (notices: Notice[]) =>
  notices.filter(({ channel }) => channel === 'error').map(({ body }) => [body.code, body.message])

const startQuiet = (limits: ApiSetup['limits'] = {}) => startApi(devnetUrl, { limits })

test('what is no request gets an error and the connection stays', async () => {
  const api = await startQuiet()
  const client = await WsClient.open(api.wsUrl)
  const wrong: [unknown, number, string][] = [
    ['{', 1, 'invalid message'],
    ['', 1, 'invalid message'],
    ['[]', 1, 'invalid message'],
    ['null', 1, 'invalid message'],
    [Buffer.from([0, 255, 1]), 1, 'invalid message'],
    [{ method: 'subscribe' }, 1, 'invalid message'],
    [{ method: 'subscribe', body: 'head' }, 1, 'invalid message'],
    [{ method: 'listen', body: { channel: 'head' } }, 2, 'unknown method'],
    [{ body: { channel: 'head' } }, 2, 'unknown method'],
    [{ method: 'subscribe', body: { channel: 'nothing' } }, 3, 'unknown channel'],
    [{ method: 'subscribe', body: {} }, 3, 'unknown channel'],
    [{ method: 'unsubscribe', body: { channel: 'constructor' } }, 3, 'unknown channel'],
  ]
  for (const [message] of wrong) client.send(message)
  await client.collect('error', wrong.length)
  assert.deepEqual(
    errors(client.notices),
    wrong.map(([, code, message]) => [code, message]),
  )
  await client.subscribed('head')
  await client.close()
})

test('filters that make no sense are refused where they count and ignored where they do not', async () => {
  const api = await startQuiet()
  const client = await WsClient.open(api.wsUrl)
  for (const filters of [{ from_height: '5' }, { from_height: -1 }, { from_height: 1.5 }]) client.subscribe('blocks', filters)
  for (const filters of [{ namespace: 'zz' }, { signer: 'celestia1x' }, { address: [] }]) client.subscribe('txs', filters)
  await client.collect('error', 6)
  assert.ok(errors(client.notices).every(([code]) => code === 4))
  client.subscribe('blocks', [] as never)
  await client.subscribed('head', { from_height: 'x' })
  await client.close()
})

test('frames end with a newline', async () => {
  const api = await startQuiet()
  const client = await WsClient.open(api.wsUrl)
  const [payload] = await Promise.all([once(client.socket, 'message'), client.send('{')])
  assert.match(String(payload[0]), /\}\n$/)
  await client.close()
})

test('a message above 10 KiB closes with 1009, one of that size does not', async () => {
  const api = await startQuiet()
  const client = await WsClient.open(api.wsUrl)
  client.send('x'.repeat(10_240))
  await client.collect('error', 1)
  client.send('x'.repeat(10_241))
  assert.equal((await client.closed).code, 1009)
})

test('more than 20 messages in a second close with 1008, pings count too', async () => {
  const api = await startQuiet()
  const talker = await WsClient.open(api.wsUrl)
  for (let i = 0; i < 21; i++) talker.subscribe('head')
  assert.deepEqual(await talker.closed, { code: 1008, reason: 'too_many_messages' })
  const pinger = await WsClient.open(api.wsUrl)
  for (let i = 0; i < 21; i++) pinger.socket.ping()
  assert.equal((await pinger.closed).code, 1008)
})

test('the eleventh connection of an address is answered with 429 until another one is gone', async () => {
  const api = await startQuiet()
  const clients = await Promise.all(Array.from({ length: 10 }, () => WsClient.open(api.wsUrl)))
  const extra = new WsClient(api.wsUrl)
  const [, response] = await once(extra.socket, 'unexpected-response')
  assert.equal(response.statusCode, 429)
  assert.equal(response.headers['access-control-allow-origin'], '*')
  assert.match(response.headers['x-request-id'], /^[\w-]+$/)
  // Another address has its own ten.
  const neighbour = await WsClient.open(api.wsUrl, { localAddress: '127.0.0.2' })
  await neighbour.close()
  await clients[0]!.close()
  for (;;) {
    const again = new WsClient(api.wsUrl)
    const opened = await Promise.race([once(again.socket, 'open').then(() => true), again.closed.then(() => false)])
    if (!opened) continue
    await again.close()
    break
  }
  for (const client of clients.slice(1)) await client.close()
})

test('of 200 connections at once exactly ten of an address get in, and all places are free afterwards', async () => {
  const api = await startQuiet()
  for (let round = 0; round < 2; round++) {
    const all = Array.from({ length: 200 }, () => new WsClient(api.wsUrl))
    const opened = await Promise.all(
      all.map((client) => Promise.race([once(client.socket, 'open').then(() => true), client.closed.then(() => false)])),
    )
    assert.equal(opened.filter(Boolean).length, 10)
    for (const client of all) client.socket.terminate()
    await waitUntil(() => api.hub.sessions.size === 0)
  }
})

test('who does not answer pings is cut off', async () => {
  const api = await startQuiet({ pingMs: 20, idleMs: 400 })
  const [deaf, alive] = [await WsClient.open(api.wsUrl, { autoPong: false }), await WsClient.open(api.wsUrl)]
  assert.equal((await deaf.closed).code, 1006)
  await alive.subscribed('head')
  await alive.close()
})

test('shutting down closes with 1001', async () => {
  const api = await startQuiet()
  const client = await WsClient.open(api.wsUrl)
  await client.subscribed('blocks')
  const [closed] = await Promise.all([client.closed, api.stop()])
  assert.equal(closed.code, 1001)
})

test('a refused upgrade is over for both sides, whatever the client leaves open', async () => {
  const api = await startQuiet()
  const { hostname, port } = new URL(api.url)
  for (const [path, protocol] of [
    ['/v1/head', 'websocket'],
    ['/v1/head', 'h2c'],
  ]) {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: ${protocol}\r\n\r\n`)
    socket.resume().on('error', () => {})
    await once(socket, 'end')
    // The server's side is closed when it takes no more.
    const writing = setInterval(() => socket.write('x'), 5)
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(writing)
  }
})

test('requests that are no upgrade, or to another path, are answered', async () => {
  const api = await startQuiet()
  const plain = await fetch(`${api.url}/v1/ws`)
  assert.equal(plain.status, 400)
  assert.match(plain.headers.get('content-type') ?? '', /^text\/plain/)
  assert.equal(await plain.text(), 'Bad Request')
  const posted = await fetch(`${api.url}/v1/ws`, { method: 'POST' })
  assert.equal(posted.status, 405)
  assert.match(posted.headers.get('allow') ?? '', /GET/)
  const elsewhere = new WsClient(api.wsUrl.replace('/v1/ws', '/v1/head'))
  const [, response] = await once(elsewhere.socket, 'unexpected-response')
  assert.equal(response.statusCode, 404)
})

test('a handshake that lacks something is refused in JSON', async () => {
  const api = await startQuiet()
  const { hostname, port } = new URL(api.url)
  const upgrade = 'Connection: upgrade\r\nUpgrade: websocket\r\n'
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  for (const [status, request, message] of [
    [400, `GET /v1/ws HTTP/1.1\r\nHost: x\r\n${upgrade}Sec-WebSocket-Version: 13\r\n\r\n`, /Sec-WebSocket-Key/],
    [400, `GET /v1/ws HTTP/1.1\r\nHost: x\r\n${upgrade}${key}Sec-WebSocket-Version: 7\r\n\r\n`, /Sec-WebSocket-Version/],
    [400, `GET /v1/ws HTTP/1.1\r\nHost: x\r\nHost: y\r\n${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`, /Host/],
    [405, `POST /v1/ws HTTP/1.1\r\nHost: x\r\n${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`, /Method Not Allowed/],
  ] as const) {
    const socket = connect(Number(port), hostname)
    socket.write(request)
    let text = ''
    for await (const part of socket) text += part
    const [head = '', body = ''] = text.split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
    assert.match(head, /content-type: application\/json/)
    assert.match(JSON.parse(body).message, message)
    if (/Version/.test(message.source)) assert.match(head, /sec-websocket-version: 13/)
  }
  const client = await WsClient.open(api.wsUrl.replace('/v1/ws', '//v1//ws'))
  await client.subscribed('head')
  await client.close()
})

test('a request that offers another protocol is served as if it did not', async () => {
  const api = await startQuiet()
  const { hostname, port } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    'GET /v1/head HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
  )
  let text = ''
  for await (const part of socket) text += part
  assert.match(text, /^HTTP\/1\.1 200 OK\r\n/)
  assert.match(text, /"last_height":403/)
})
