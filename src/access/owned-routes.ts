import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NO_STORE } from '../api/http/answer.ts'
import { compileParams, compileQuery } from '../api/http/bind.ts'
import { HttpError } from '../api/http/errors.ts'
import { addOtherMethods } from '../api/http/other-methods.ts'
import { queryOf } from '../api/http/read-request.ts'
import { writeJson } from '../api/http/write-json.ts'
import type { ForeignPath } from '../api/openapi.ts'
import type { RouteSchema } from '../api/route.ts'
import type { ActiveKey } from '../store/access/key-ring.ts'
import type { NetworkAccess } from './guard.ts'
import type { Plan } from './plans.ts'
import { checkOwner } from './restrictions.ts'

export type OwnedPath = Extract<ForeignPath, { schema: unknown }>

/** A request of the holder of a key. */
export type Asked<P> = {
  key: ActiveKey
  plan: Plan
  params: P
  query: Record<string, unknown>
  body: unknown
  /** charges points beyond those of the request */
  charge: (points: number) => Promise<void>
}

export type OwnedRoutes<Name extends string, P> = {
  paths: Record<Name, OwnedPath>
  handlers: Record<Name, (asked: Asked<P>) => Promise<unknown>>
  /** tells a caller without a key why one is needed */
  needsKey: string
  /** Throws when the caller may not do this, before a body is looked at: what somebody else's would make of it is not told. */
  admit?: (asked: Pick<Asked<P>, 'key' | 'params'>, path: OwnedPath) => Promise<void> | void
  /** paid from the limit on looking after one's own account, which holds when the plan is used up */
  isMeter?: true
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** operation of a route that is not among those of the chain */
    operationId?: string
    isMeter?: boolean
  }
}

/** Adds routes about what belongs to a key. They write, so they do not pass through what keeps and repeats answers of the chain. */
export function addOwnedRoutes<Name extends string, P>(
  app: FastifyInstance,
  access: NetworkAccess,
  { paths, handlers, needsKey, admit, isMeter = undefined }: OwnedRoutes<Name, P>,
): void {
  const ownerOf = (request: FastifyRequest) => {
    const { key, plan } = access.callerOf(request) ?? {}
    if (!key || !plan) throw new HttpError(401, 'key_required', needsKey)
    return { key, plan }
  }
  for (const [name, route] of Object.entries<OwnedPath>(paths)) {
    const { method, path, schema } = route
    const [bindParams, bindQuery] = [compileParams(schema.params), compileQuery(schema.querystring)]
    const paramsOf = (request: FastifyRequest) => bindParams(request.params as Record<string, string>).values as P
    app.route({
      method,
      url: path,
      config: { operationId: schema.operationId, ...(isMeter && { isMeter }) },
      preParsing: async (request) => {
        const { key } = ownerOf(request)
        checkOwner(key, schema.operationId)
        await admit?.({ key, params: paramsOf(request) }, route)
      },
      handler: async (request, reply) => {
        const query = queryOf(request)
        const answer = await handlers[name as Name]({
          ...ownerOf(request),
          params: paramsOf(request),
          query: bindQuery(query).values,
          body: request.body,
          charge: (points) => access.chargeMessages(request, reply, points),
        })
        return send(reply, answer, query.has('pretty'))
      },
    })
  }
  addOtherMethods(app, Object.values<OwnedPath>(paths))
}

/** Paths of operations, for the description of the API and the typed client. */
export function ownedPaths<Name extends string>(
  paths: Record<Name, [method: OwnedPath['method'], path: string]>,
  operations: Record<Name, RouteSchema>,
): Record<Name, OwnedPath> {
  const entries = Object.entries<[OwnedPath['method'], string]>(paths)
  return Object.fromEntries(
    entries.map(([name, [method, path]]) => [name, { method, path, schema: operations[name as Name] }]),
  ) as Record<Name, OwnedPath>
}

function send(reply: FastifyReply, answer: unknown, isPretty: boolean): FastifyReply {
  return reply.header('cache-control', NO_STORE).header('content-type', 'application/json').send(writeJson(answer, isPretty))
}
