import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type ClientAddress, createClientAddress, truncateAddress } from '../access/client.ts'
import type { NetworkAccess } from '../access/guard.ts'
import type { Metrics } from './metrics.ts'

export type RequestObserverOptions = {
  metrics: Metrics
  network: string
  /** one line per request; undefined: none */
  log?: Logger | undefined
  access?: NetworkAccess | undefined
  /** who asks, where `access` does not know */
  clientAddress?: ClientAddress
}

/** Counts and logs what a server answers: the template of the route, never the path with its hashes and addresses. */
export function observeRequests(app: FastifyInstance, options: RequestObserverOptions): void {
  const { metrics, network, log, access, clientAddress = createClientAddress([]) } = options
  const active = metrics.activeRequests.labels({ network })
  // Refused and cached requests are answered before this hook and were never counted in.
  const counted = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', (request, _reply, done) => {
    counted.add(request)
    active.inc()
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (counted.has(request)) active.dec()
    const route = routeOf(request)
    const { statusCode } = reply
    const seconds = reply.elapsedTime / 1000
    metrics.requestDuration.observe({ network, method: methodOf(request), route, status: String(statusCode) }, seconds)
    if (log) {
      const caller = access?.callerOf(request)
      log.info(
        {
          request_id: request.id,
          network,
          method: request.method,
          route,
          status: statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...(caller && { plan: caller.plan.name, ...(caller.key && { key: caller.key.id }) }),
          ip: truncateAddress(caller?.address ?? clientAddress(request.socket.remoteAddress, request.headers)),
        },
        'request',
      )
    }
    done()
  })
}

/** Our own failures: counted when they are cancelled queries, logged in any case. */
export function createRequestReporter({ metrics, network, log }: RequestObserverOptions) {
  return (error: unknown, { requestId, route }: { requestId: string; route: string | undefined }): void => {
    const { code } = (error ?? {}) as { code?: unknown }
    if (code === '57014' || code === 'query_timeout') metrics.queryTimeouts.inc({ network, route: route ?? 'unknown' })
    log?.error({ err: error, request_id: requestId, network, route }, 'request failed')
  }
}

function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.config.route?.path ?? routeOptions.url ?? 'unknown'
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])

/** Clients can send any word as a method. */
function methodOf({ method }: FastifyRequest): string {
  return METHODS.has(method) ? method : 'other'
}
