import {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type onRequestHookHandler,
  type RawServerDefault,
} from 'fastify'
import type { Client } from '../lib/turn-queue.ts'
import { collectRoutes, type Route } from './collect-routes.ts'
import { addDocs } from './docs.ts'
import { type RowForm, rowFormOf } from './http/accept.ts'
import type { Answer } from './http/answer.ts'
import { type BoundRequest, bindGet } from './http/bind.ts'
import { readBody } from './http/body.ts'
import { HttpError } from './http/errors.ts'
import { endConnectionsOnClose } from './http/last-answers.ts'
import { checkRequest, ignoreExpectations, LIMITS, refuseBrokenRequest, SERVER_LIMITS } from './http/limits.ts'
import { mergeSlashes } from './http/merge-slashes.ts'
import { NO_SCHEMAS } from './http/no-schemas.ts'
import { addOtherMethods, isForeignMethod } from './http/other-methods.ts'
import { requestIds } from './http/request-id.ts'
import { Responder, type ResponderOptions, urlKey } from './http/responder.ts'
import { type FailureFacts, sendAnswer, sendFailure, sendStream, setCommonHeaders } from './http/send.ts'
import { limitUnreadOutput } from './http/unread-output.ts'
import type { ForeignPath } from './openapi.ts'
import { ANYONE, type ApiContext, type RouteGroup, Streamed } from './route.ts'
import { allRoutes } from './routes/all.ts'

export type ApiOptions = ResponderOptions & {
  groups?: RouteGroup[]
  /** Client that makes a request: work that takes long is done for clients in turns. */
  clientOf?: (request: FastifyRequest) => Client
  /** Hears of the bytes behind every answer: large ones cost more. */
  onAnswer?: (request: FastifyRequest, bytes: number) => void
  /** Waits until the caller may have another page of a long list that is being sent; throws when that is not today. */
  payForPage?: (request: FastifyRequest) => Promise<void>
  /** Run before anything else, also before kept answers: keys, plans and rate limits. */
  guards?: onRequestHookHandler[]
  /** Terms of use, shown with the description of the API. */
  terms?: string
  /** Paths that somebody else serves on this app, for its description. */
  otherPaths?: readonly ForeignPath[]
  /** Our own failures, with the request they happened in. */
  onError?: (error: unknown, facts: FailureFacts) => void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the route behind a request, for plans and metrics */
    route?: Route
  }
}

const NO_QUERY = {}

/** The key surface of one network. The caller listens and closes; `ctx.watch` must have been started. */
export function buildApi(ctx: ApiContext, options: ApiOptions = {}): FastifyInstance {
  const responder = new Responder(ctx.watch, options)
  const height = () => ctx.head()?.last_height ?? 0
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendFailure(error, request, reply, { height: height(), report: options.onError })
  const send = (answer: Answer, request: FastifyRequest, reply: FastifyReply) => {
    options.onAnswer?.(request, answer.work)
    sendAnswer(answer, request, reply)
  }
  const app: FastifyInstance = fastify(serverOptions(fail))
  ignoreExpectations(app.server)
  limitUnreadOutput(app.server)
  endConnectionsOnClose(app)

  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply)
    done(checkRequest(request, LIMITS.urlBytes))
  })
  for (const guard of options.guards ?? []) app.addHook('onRequest', guard)
  if (responder.isCaching)
    app.addHook('onRequest', (request, reply, done) => {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const kept = isRead ? responder.cache.get(urlKey(request.url, formOf(request))) : undefined
      if (kept) send(kept, request, reply)
      else done()
    })
  app.addHook('onClose', async () => responder.close())
  app.setErrorHandler(fail)
  app.setNotFoundHandler((request, reply) => {
    const foreign = isForeignMethod(request.method)
    const allow = { allow: 'OPTIONS, GET, HEAD' }
    fail(
      foreign
        ? new HttpError(405, 'method_not_allowed', 'Method Not Allowed', allow)
        : new HttpError(404, 'not_found', 'Not Found'),
      request,
      reply,
    )
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, readBody)

  const routes = collectRoutes(options.groups ?? allRoutes, ctx)
  for (const route of routes) {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const bound = bindRequest(route, request)
      bound.client = options.clientOf?.(request) ?? ANYONE
      if (bound.query.unknown) reply.header('x-query-warning', warningOf(bound.query.unknown))
      const answer = await responder.respond(route, bound, {
        pay: async () => options.payForPage?.(request),
        count: (bytes) => options.onAnswer?.(request, bytes),
      })
      if (answer instanceof Streamed) {
        options.onAnswer?.(request, answer.bytes)
        await sendStream(answer, request, reply)
      } else send(answer, request, reply)
      return reply
    }
    app.route({ method: route.method, url: route.path, config: { route }, handler })
  }
  const files = addDocs(
    app,
    routes,
    {
      // On the very first start nothing is indexed yet, and the chain not known.
      title: `Astrolabe: ${ctx.network.chainId || ctx.network.name}`,
      version: '1.0.0',
      description: `Index of a Celestia network. \`?pretty\` indents any answer; lists take \`cursor\` and name the next page in \`Link\`. Agents find tools at \`/mcp\` (Model Context Protocol).${options.terms === undefined ? '' : `\n\n${options.terms}`}`,
    },
    options.otherPaths,
  )
  addOtherMethods(app, [...routes, ...files])
  return app
}

type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

function serverOptions(fail: Fail): FastifyHttpOptions<RawServerDefault> {
  return {
    logger: false,
    schemaController: NO_SCHEMAS,
    exposeHeadRoutes: true,
    bodyLimit: LIMITS.bodyBytes,
    ...SERVER_LIMITS,
    genReqId: requestIds(),
    rewriteUrl: ({ url = '/' }) => mergeSlashes(url),
    clientErrorHandler: refuseBrokenRequest,
    // Broken escapes in a path: these requests never reach a hook.
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request as FastifyRequest, reply as FastifyReply)
      fail(error, request as FastifyRequest, reply as FastifyReply)
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: LIMITS.urlBytes,
      // The binder reads the query itself, by the contract's rules.
      querystringParser: () => NO_QUERY,
    },
  }
}

/** Names come from the caller: a header takes few characters, and not too many of them. */
const warningOf = (names: readonly string[]) =>
  `unknown parameters are ignored: ${names.slice(0, 10).map(encodeURIComponent).join(', ')}`.slice(0, 300)

function formOf({ headers, routeOptions }: FastifyRequest): RowForm | undefined {
  return routeOptions.config.route?.list ? rowFormOf(headers.accept) : undefined
}

function bindRequest(route: Route, request: FastifyRequest): BoundRequest {
  const { url, params, body } = request
  const form = formOf(request)
  const { bindParams } = route
  const { bindQuery } = (form && route.list) || route
  const bound = bindGet({ bindQuery, bindParams }, url, params as Record<string, string>)
  bound.form = form
  if (route.method === 'POST') bound.body = route.bindBody(body)
  return bound
}
