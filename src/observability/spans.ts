import type { FastifyInstance } from 'fastify'
import type { NodeRequest } from '../chain/rpc/pool.ts'
import { type Db, readFrom } from '../store/db.ts'
import { wrapSource } from '../store/servers/pool.ts'
import type { Run } from '../store/sql/statement.ts'
import type { TraceContext, Tracer } from './tracer.ts'

/** One span per request, named by its route; inside of it those of its queries. */
export function traceRequests(app: FastifyInstance, tracer: Tracer, network: string): void {
  const contexts = new WeakMap<object, TraceContext | undefined>()
  const header = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    const context = tracer.begin(header(request.headers.traceparent))
    contexts.set(request, context)
    if (context) tracer.run(context, done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // Refused and cached requests are answered before the hook above.
    const context = contexts.has(request) ? contexts.get(request) : tracer.begin(header(request.headers.traceparent))
    const route = request.routeOptions.config.route?.path ?? request.routeOptions.url ?? 'unknown'
    if (context)
      tracer.record({
        name: `${request.method} ${route}`,
        kind: 'server',
        context,
        seconds: reply.elapsedTime / 1000,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'http.response.status_code': reply.statusCode,
          'astrolabe.network': network,
          'astrolabe.request_id': request.id,
        },
        isError: reply.statusCode >= 500,
      })
    done()
  })
}

/** Pool whose statements leave a span; their texts have no values in them. */
export function traceQueries({ source, context }: Db, tracer: Tracer): Db {
  const traced =
    (run: Run): Run =>
    async (query) => {
      const child = tracer.child()
      if (!child) return run(query)
      const startedAt = performance.now()
      let isError = true
      try {
        const rows = await run(query)
        isError = false
        return rows
      } finally {
        const seconds = (performance.now() - startedAt) / 1000
        const attributes = { 'db.system.name': 'postgresql', 'db.query.text': query.text.replace(/\s+/g, ' ').slice(0, 1000) }
        tracer.record({ name: 'query', kind: 'client', context: child, seconds, attributes, isError })
      }
    }
  return readFrom(
    wrapSource(() => source, traced),
    context,
  )
}

/** A request to a node: part of the request that asked for it, or its own trace. */
export function traceNodeCall(tracer: Tracer, { node, method, outcome, seconds }: NodeRequest): void {
  const context = seconds === undefined ? undefined : (tracer.child() ?? tracer.begin())
  if (!context || seconds === undefined) return
  const attributes = { 'server.address': node, 'rpc.method': method, 'astrolabe.outcome': outcome }
  tracer.record({ name: `node ${method}`, kind: 'client', context, seconds, attributes, isError: outcome !== 'ok' })
}
