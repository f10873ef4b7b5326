import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createClientAddress, networkOf } from '../access/client.ts'
import { addOtherMethods } from '../api/http/other-methods.ts'
import type { ApiContext } from '../api/route.ts'
import { Feed } from '../feed/feed.ts'
import { Admission, type Allowance, type Gate } from './admission.ts'
import type { PushContext } from './context.ts'
import { addEventStream } from './event-stream.ts'
import { Hub } from './hub.ts'
import { DEFAULT_LIMITS, type PushLimits } from './limits.ts'
import { type PushObserver, SILENT_OBSERVER } from './observer.ts'
import { acceptSockets } from './sockets.ts'

export type PushOptions = {
  limits?: Partial<PushLimits>
  observer?: PushObserver
  /** How many connections whom: by plan when a key is given. Without it every client IP has the same number. */
  allow?: (request: IncomingMessage) => Allowance | Promise<Allowance>
  /** Allowance of a key that comes in the first message; without it there are no keys. */
  allowKey?: (request: IncomingMessage, key: string) => Allowance
  /** Where connections are counted when several processes share the port. */
  gate?: (connections: number) => Gate
  /** what else reads the network's feed shares it */
  feed?: Feed
}

/**
 * Adds `/v1/ws` and `/v1/sse` to the key surface of a network. Call it before the app listens; closing the app closes all connections
 * with 1001.
 */
export function attachWebSocket(app: FastifyInstance, ctx: ApiContext, options: PushOptions = {}): Hub {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const observer = options.observer ?? SILENT_OBSERVER
  const hub = new Hub(ctx, options.feed ?? new Feed(ctx), limits, observer)
  const push: PushContext = {
    hub,
    limits,
    gate: options.gate?.(limits.connections) ?? new Admission(limits.connections),
    observer,
    allow: options.allow ?? ((request) => ({ client: nameClient(request), connections: limits.connectionsPerClient })),
    allowKey: options.allowKey,
  }
  const sockets = acceptSockets(app, push)
  addEventStream(app, push)
  addOtherMethods(app, [
    { path: '/v1/ws', method: 'GET' },
    { path: '/v1/sse', method: 'GET' },
  ])
  app.addHook('preClose', async () => {
    push.gate.close()
    hub.stop()
    await sockets.close()
  })
  return hub
}

const addressOf = createClientAddress([])
const nameClient = ({ socket, headers }: IncomingMessage): string => networkOf(addressOf(socket.remoteAddress, headers))
