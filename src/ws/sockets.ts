import { type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { toErrorAnswer } from '../api/error-answer.ts'
import { EVERYWHERE } from '../api/headers.ts'
import { writeJson } from '../api/write-json.ts'
import type { PushContext } from './context.ts'
import type { CloseReason } from './peer.ts'
import { parseRequest, Refusal, writeAck, writeRefusal } from './protocol.ts'
import { PushMessage } from './push-message.ts'
import { Session } from './session.ts'
import { SocketPeer } from './socket-peer.ts'

type Connection = { socket: WebSocket; peer: SocketPeer; seenAt: number }

export type Sockets = { close(): Promise<void> }

/** `/v1/ws`: upgrades, incoming messages, signs of life. */
export function acceptSockets(app: FastifyInstance, push: PushContext): Sockets {
  const { limits, hub, observer } = push
  const server = new WebSocketServer({ noServer: true, maxPayload: limits.frameBytes, perMessageDeflate: false })
  const connections = new Set<Connection>()

  app.get('/v1/ws', (_request, reply) => {
    reply.code(400).type('text/plain').send('Bad Request')
  })
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A peer that vanishes during the handshake needs no answer.
    socket.on('error', () => socket.destroy())
    if (!isWebSocket(request)) return serveWithoutUpgrade(app.server as Server, request, socket)
    const path = request.url?.split('?', 1)[0]?.replace(/\/$/, '')
    if (path !== '/v1/ws') return refuse(socket, 404, 'Not Found', 'not_found')
    admit(request, socket, head).catch((error: unknown) => {
      const { status, body, headers } = toErrorAnswer(error)
      refuse(socket, status, body.message, body.code, headers)
    })
  })

  async function admit(request: IncomingMessage, raw: Duplex, head: Buffer): Promise<void> {
    const leave = push.admission.enter(await push.allow(request))
    if (typeof leave === 'string') {
      observer.refused(leave)
      const retry = { 'retry-after': '5' }
      if (leave === 'connections') refuse(raw, 503, 'Service Unavailable', 'too_many_connections', retry)
      else refuse(raw, 429, 'Too Many Requests', 'too_many_connections', retry)
      return
    }
    raw.once('close', leave)
    server.handleUpgrade(request, raw, head, (socket) => welcome(socket, raw))
  }

  function welcome(socket: WebSocket, raw: Duplex): void {
    const peer = new SocketPeer(socket, raw, limits.lingerMs)
    const session = new Session(hub, peer)
    const connection: Connection = { socket, peer, seenAt: performance.now() }
    const rate = createRate(limits.messagesPerSecond)
    let failure: CloseReason | undefined
    connections.add(connection)
    hub.add(session)
    observer.opened('socket')
    const isAllowed = () => {
      connection.seenAt = performance.now()
      if (peer.closedBy) return false
      if (rate(connection.seenAt)) return true
      peer.close('too_many_messages')
      return false
    }
    socket.on('message', (payload, isBinary) => {
      if (isAllowed()) answer(session, isBinary ? '' : String(payload))
    })
    socket.on('ping', isAllowed)
    socket.on('pong', () => {
      connection.seenAt = performance.now()
    })
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

  function answer(session: Session, text: string): void {
    const request = parseRequest(text, limits)
    const reply = request instanceof Refusal ? request : follow(session, request)
    if (reply instanceof Refusal) session.peer.send(new PushMessage('error', writeRefusal(reply)))
    else if (reply !== undefined) session.peer.send(new PushMessage('ack', reply))
    session.pump()
  }

  function follow(session: Session, request: Exclude<ReturnType<typeof parseRequest>, Refusal>): string | Refusal | undefined {
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

  const sweep = setInterval(() => {
    const now = performance.now()
    for (const { socket, peer, seenAt } of connections) {
      if (now - seenAt >= limits.idleMs) peer.close('idle')
      else if (!peer.closedBy) socket.ping()
    }
  }, limits.pingMs)
  sweep.unref()

  return {
    async close() {
      clearInterval(sweep)
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
  response.on('finish', () => socket.end())
  server.emit('request', request, response)
}

function refuse(socket: Duplex, status: number, message: string, code: string, headers: Record<string, string> = {}): void {
  const body = writeJson({ message, code })
  const lines = Object.entries({
    ...EVERYWHERE,
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
}
