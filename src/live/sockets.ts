import { type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { toErrorAnswer } from '../api/http/error-answer.ts'
import { EVERYWHERE } from '../api/http/headers.ts'
import { checkRequest, LIMITS } from '../api/http/limits.ts'
import { mergeSlashes } from '../api/http/merge-slashes.ts'
import { requestIds } from '../api/http/request-id.ts'
import { writeJson } from '../api/http/write-json.ts'
import { ConnectionSlot } from './connection-slot.ts'
import type { PushContext } from './context.ts'
import { Heartbeat } from './heartbeat.ts'
import type { CloseReason } from './peer.ts'
import { type Authorize, parseRequest, Refusal, type Subscribe, writeAck, writeRefusal } from './protocol.ts'
import { PushMessage } from './push-message.ts'
import { Session } from './session.ts'
import { SocketPeer } from './socket-peer.ts'

type Connection = {
  request: IncomingMessage
  socket: WebSocket
  peer: SocketPeer
  session: Session
  slot: ConnectionSlot
  heartbeat: Heartbeat
  /** nothing was received yet */
  isNew: boolean
  /** what came while a key was looked at; undefined when none is */
  waiting: string[] | undefined
}

/** Goes with the refusal of a handshake (RFC 6455 §4.4). */
const VERSIONS = { 'sec-websocket-version': '13' }

export type Sockets = { close(): Promise<void> }

/** `/v1/ws`: upgrades, incoming messages, signs of life. */
export function acceptSockets(app: FastifyInstance, push: PushContext): Sockets {
  const { limits, hub, observer } = push
  const server = new WebSocketServer({ noServer: true, maxPayload: limits.frameBytes, perMessageDeflate: false })
  const connections = new Set<Connection>()
  const requestId = requestIds()

  app.get('/v1/ws', (_request, reply) => {
    reply.code(400).type('text/plain').send('Bad Request')
  })
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A peer that vanishes during the handshake needs no answer.
    socket.on('error', () => socket.destroy())
    if (!isWebSocket(request)) return serveWithoutUpgrade(app.server as Server, request, socket)
    const url = mergeSlashes(request.url ?? '')
    const path = url.split('?', 1)[0]!.replace(/\/$/, '')
    const id = requestId(request)
    const refuse = (status: number, message: string, code: string, headers: Record<string, string> = {}) =>
      writeRefused(socket, status, { message, code, request_id: id }, headers)
    const fail = (error: unknown) => {
      const { status, body, headers } = toErrorAnswer(error)
      refuse(status, body.message, body.code, headers)
    }
    const broken = checkRequest({ url, raw: request }, LIMITS.urlBytes)
    if (broken) return fail(broken)
    if (path !== '/v1/ws') return refuse(404, 'Not Found', 'not_found')
    if (request.method !== 'GET') return refuse(405, 'Method Not Allowed', 'method_not_allowed', { allow: 'OPTIONS, GET' })
    admit(request, socket, head, refuse).catch(fail)
  })

  // Without a listener the library refuses in HTML.
  server.on('wsClientError', ({ message }, socket, request) =>
    writeRefused(socket, 400, { message, code: 'bad_handshake', request_id: requestId(request) }, VERSIONS),
  )

  async function admit(request: IncomingMessage, raw: Duplex, head: Buffer, refuse: Refuse): Promise<void> {
    const slot = await ConnectionSlot.take(push.gate, await push.allow(request))
    if (typeof slot === 'string') {
      observer.refused(slot)
      const retry = { 'retry-after': '5' }
      if (slot === 'connections') refuse(503, 'Service Unavailable', 'too_many_connections', retry)
      else refuse(429, 'Too Many Requests', 'too_many_connections', retry)
      return
    }
    // Gone while we asked for a slot: no `close` will follow.
    if (raw.destroyed) return slot.release()
    raw.once('close', () => slot.release())
    server.handleUpgrade(request, raw, head, (socket) => welcome(request, socket, raw, slot))
  }

  function welcome(request: IncomingMessage, socket: WebSocket, raw: Duplex, slot: ConnectionSlot): void {
    const peer = new SocketPeer(socket, raw, limits.lingerMs)
    const session = new Session(hub, peer)
    const heartbeat = new Heartbeat(performance.now())
    const connection: Connection = { request, socket, peer, session, slot, heartbeat, isNew: true, waiting: undefined }
    const rate = createRate(limits.messagesPerSecond)
    let failure: CloseReason | undefined
    connections.add(connection)
    hub.add(session)
    observer.opened('socket')
    const isAllowed = () => {
      const now = performance.now()
      heartbeat.hear(now)
      if (peer.closedBy) return false
      if (rate(now)) return true
      peer.close('too_many_messages')
      return false
    }
    socket.on('message', (payload, isBinary) => {
      if (isAllowed()) receive(connection, isBinary ? '' : String(payload))
    })
    socket.on('ping', isAllowed)
    socket.on('pong', () => heartbeat.hear(performance.now()))
    socket.on('error', (error: Error & { code?: string }) => {
      // The library answers with the close code; `close` follows.
      failure = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' ? 'frame_too_large' : 'protocol'
    })
    socket.on('close', () => {
      for (const channel of session.channels) observer.subscribed(channel, -1)
      connections.delete(connection)
      hub.remove(session)
      observer.closed('socket', peer.closedBy ?? failure ?? 'client')
    })
  }

  function receive(connection: Connection, text: string): void {
    const { waiting, isNew } = connection
    if (waiting) return void waiting.push(text)
    connection.isNew = false
    const request = parseRequest(text, limits)
    if (request instanceof Refusal || request.method !== 'authorize') return answer(connection.session, request)
    if (!push.allowKey) return answer(connection.session, new Refusal(2, 'unknown method'))
    if (!isNew) return answer(connection.session, new Refusal(5, 'a key has to be the first message'))
    void authorize(connection, request)
  }

  /** Messages behind the key wait until the key is checked. */
  async function authorize(connection: Connection, { key }: Authorize): Promise<void> {
    const { peer, slot, request } = connection
    const held: string[] = []
    connection.waiting = held
    const refusal = await takeKey(push, slot, request, key)
    connection.waiting = undefined
    if (peer.closedBy) return
    if (refusal) {
      peer.send(new PushMessage('error', writeRefusal(new Refusal(5, refusal.message))))
      return peer.close(refusal.reason)
    }
    peer.send(PushMessage.of('ack', { method: 'authorize' }))
    for (const text of held) receive(connection, text)
  }

  function answer(session: Session, request: Subscribe | Refusal): void {
    const reply = request instanceof Refusal ? request : follow(session, request)
    if (reply instanceof Refusal) session.peer.send(new PushMessage('error', writeRefusal(reply)))
    else if (reply !== undefined) session.peer.send(new PushMessage('ack', reply))
    session.pump()
  }

  function follow(session: Session, request: Subscribe): string | Refusal | undefined {
    const before = session.channels.length
    let nextHeight: number | undefined
    if (request.method === 'unsubscribe') session.unsubscribe(request.channel)
    else {
      const next = session.subscribe(request.channel, request.filters)
      if (next instanceof Refusal) return next
      nextHeight = next
    }
    const change = session.channels.length - before
    if (change !== 0) observer.subscribed(request.channel, change > 0 ? 1 : -1)
    return request.ack ? writeAck(request, nextHeight) : undefined
  }

  const sweep = () => {
    const now = performance.now()
    for (const { socket, peer, heartbeat } of connections) {
      if (!heartbeat.check(now, limits)) peer.close('idle')
      else if (!peer.closedBy) socket.ping()
    }
  }
  // After what has arrived is read: a process that stood still finds the answers of its clients behind this timer.
  const sweeping = setInterval(() => setImmediate(sweep), limits.pingMs)
  sweeping.unref()
  const keyCheck = setInterval(() => {
    for (const { peer, slot } of connections) if (!slot.isValid) peer.close('key_inactive')
  }, limits.keyCheckMs)
  keyCheck.unref()

  return {
    async close() {
      clearInterval(sweeping)
      clearInterval(keyCheck)
      const open = [...connections].map(({ socket }) => new Promise((resolve) => socket.once('close', resolve)))
      await Promise.all(open)
    },
  }
}

/** True as long as at most `perSecond` came in the second before. */
function createRate(perSecond: number): (now: number) => boolean {
  const times: number[] = []
  return (now) => {
    while (times.length > 0 && times[0]! <= now - 1000) times.shift()
    times.push(now)
    return times.length <= perSecond
  }
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** Clients may offer other protocols (h2c) on any request; without this, listening for upgrades would take those requests from the app. */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex): void {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket as never)
  response.on('finish', () => endSocket(socket))
  server.emit('request', request, response)
}

type Refuse = (status: number, message: string, code: string, headers?: Record<string, string>) => void

function writeRefused(
  socket: Duplex,
  status: number,
  answer: { message: string; code: string; request_id: string },
  headers: Record<string, string>,
): void {
  const body = writeJson(answer)
  const lines = Object.entries({
    ...EVERYWHERE,
    ...headers,
    'x-request-id': answer.request_id,
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  endSocket(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
}

/** The HTTP server has let go of it: nobody else would ever close what the client leaves half open. */
function endSocket(socket: Duplex, last = ''): void {
  socket.once('finish', () => socket.destroy())
  socket.end(last)
}

type KeyRefusal = { message: string; reason: CloseReason }

/** Counts a connection for the account of a key. A wrong key does not fall back to the free plan: the connection is closed. */
async function takeKey(
  { allowKey, observer }: PushContext,
  slot: ConnectionSlot,
  request: IncomingMessage,
  key: string,
): Promise<KeyRefusal | undefined> {
  try {
    const limit = await slot.moveTo(allowKey!(request, key))
    if (limit === undefined) return undefined
    observer.refused(limit)
    return { message: 'too many connections', reason: 'too_many_connections' }
  } catch (error) {
    return { message: toErrorAnswer(error).body.message, reason: 'key_refused' }
  }
}
