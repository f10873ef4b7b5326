import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { compileQuery } from '../api/http/bind.ts'
import { BadRequest, HttpError } from '../api/http/errors.ts'
import { EVERYWHERE } from '../api/http/headers.ts'
import { parseQuery } from '../api/http/query-string.ts'
import { ConnectionSlot } from './connection-slot.ts'
import type { PushContext } from './context.ts'
import { eventStreamSchema } from './describe.ts'
import { EventStreamPeer } from './event-stream-peer.ts'
import { type Channel, type Filters, isHeightChannel, parseFilters, Refusal } from './protocol.ts'
import { Session } from './session.ts'

type Wanted = { channel: Channel; filters: Filters }

/** `/v1/sse`: the same notifications for clients without WebSocket. A browser that reconnects resumes where it was cut off. */
export function addEventStream(app: FastifyInstance, push: PushContext): void {
  const { hub, limits, observer } = push

  app.get('/v1/sse', async (request, reply) => {
    const wanted = readWanted(request, limits)
    const slot = await ConnectionSlot.take(push.gate, await push.allow(request.raw))
    if (typeof slot === 'string') {
      observer.refused(slot)
      throw new HttpError(slot === 'connections' ? 503 : 429, 'too_many_connections', 'Too Many Connections', {
        'retry-after': '5',
      })
    }
    const peer = new EventStreamPeer(reply.raw, limits.lingerMs)
    const session = new Session(hub, peer)
    for (const { channel, filters } of wanted) {
      const next = session.subscribe(channel, filters)
      if (!(next instanceof Refusal)) continue
      slot.release()
      throw new BadRequest(next.message, 'from_height')
    }
    reply.hijack()
    // Gone while we asked for a slot: no `close` will follow.
    if (request.raw.destroyed) return slot.release()
    writeHead(request, reply)
    start(session, peer, reply, slot)
  })

  function start(session: Session, peer: EventStreamPeer, reply: FastifyReply, slot: ConnectionSlot): void {
    let drainedAt = performance.now()
    const pump = peer.onDrain
    peer.onDrain = () => {
      drainedAt = performance.now()
      pump()
    }
    const beat = () => {
      // There is no pong: what shows that someone reads is that something leaves.
      if (peer.queuedMessages > 0 && performance.now() - drainedAt >= limits.idleMs) peer.cut()
      else peer.beat(session.lastComplete)
    }
    // After what has left is known of, as for WebSockets.
    const beating = setInterval(() => setImmediate(beat), limits.pingMs)
    beating.unref()
    const keyCheck = setInterval(() => {
      if (!slot.isValid) peer.close('key_inactive')
    }, limits.keyCheckMs)
    keyCheck.unref()
    const { channels } = session
    hub.add(session)
    observer.opened('events')
    for (const channel of channels) observer.subscribed(channel, 1)
    // A socket that breaks ends the response.
    reply.raw.on('error', () => {})
    reply.raw.on('close', () => {
      clearInterval(beating)
      clearInterval(keyCheck)
      slot.release()
      hub.remove(session)
      for (const channel of channels) observer.subscribed(channel, -1)
      observer.closed('events', peer.closedBy ?? 'client')
    })
    session.pump()
  }
}

function writeHead(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.writeHead(200, {
    ...EVERYWHERE,
    // Headers of the guards: limits and their state.
    ...(reply.getHeaders() as Record<string, string>),
    'x-request-id': request.id,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Whoever reconnects needs a server that listens, not one that closes and still has this connection.
    connection: 'close',
    // Proxies must not hold events back.
    'x-accel-buffering': 'no',
  })
  reply.raw.write('retry: 1000\n\n')
}

const bindQuery = compileQuery(eventStreamSchema.querystring)

function readWanted({ url, headers }: FastifyRequest, limits: { filterValues: number }): Wanted[] {
  const mark = url.indexOf('?')
  const { values } = bindQuery(parseQuery(mark < 0 ? '' : url.slice(mark + 1)))
  const { channel: names, ...given } = values as Static<typeof eventStreamSchema.querystring>
  const channels = [...new Set(names as Channel[])]
  // The id of an event says how far a client has got, in one channel.
  if (channels.filter(isHeightChannel).length > 1)
    throw new BadRequest('only one of blocks, txs and blobs can be streamed at a time', 'channel')
  const last = String(headers['last-event-id'] ?? '')
  if (/^\d{1,15}$/.test(last)) given.from_height = Number(last) + 1
  return channels.map((channel) => {
    const filters = parseFilters(channel, given, limits)
    if (filters instanceof Refusal) throw new BadRequest(filters.message, filters.filter)
    return { channel, filters }
  })
}
