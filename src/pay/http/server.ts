import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Logger } from 'pino'
import { type ClientAddress, networkOf } from '../../access/client.ts'
import { wantsGzip } from '../../api/http/answer.ts'
import { toErrorAnswer } from '../../api/http/error-answer.ts'
import { EVERYWHERE } from '../../api/http/headers.ts'
import { endConnectionsOnClose } from '../../api/http/last-answers.ts'
import { checkRequest, ignoreExpectations, LIMITS, refuseBrokenRequest, SERVER_LIMITS } from '../../api/http/limits.ts'
import { NO_SCHEMAS } from '../../api/http/no-schemas.ts'
import { requestIds } from '../../api/http/request-id.ts'
import { limitUnreadOutput } from '../../api/http/unread-output.ts'
import { packagePath } from '../../lib/package-path.ts'
import { type Operation, routeOf } from '../../operations/operation.ts'
import type { PlanItem, Sold } from '../plans/plan-item.ts'
import { plainProblem } from '../problem.ts'
import { type PaidAnswer, problemAnswer } from '../sale/answer.ts'
import type { PaySettings } from '../settings.ts'
import { describeForModels } from './llms.ts'
import { describeApi } from './openapi.ts'
import type { PaidSurface } from './surface.ts'

export type PaidAppOptions = {
  surface: PaidSurface
  settings: PaySettings
  log: Logger
  clientAddress: ClientAddress
  operations: readonly Operation[]
  plans: PlanOffers
  /** Other ways to buy on the same address. */
  addRoutes?: ((app: FastifyInstance, selling: Selling) => void) | undefined
}

/** Plans that are sold, and all of them as customers see them (JSON). */
export type PlanOffers = { items: readonly PlanItem[]; list: string }

/** The address travels inside payment headers, which have 8 KB, and twice in base64. */
const MAX_URL_BYTES = 3072
const GZIP_FROM = 1024

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  // The last one is none of a request, and the official x402 client sends it as one.
  'access-control-allow-headers':
    'Authorization, PAYMENT-SIGNATURE, Accept-Payment, Idempotency-Key, apikey, Content-Type, X-Request-Id, Access-Control-Expose-Headers',
  'access-control-max-age': '86400',
}
const EXPOSED = { 'access-control-expose-headers': `${EVERYWHERE['access-control-expose-headers']}, Idempotent-Replayed` }

/** The paid surface over HTTP: routes from the catalogue, the two descriptions, and nothing else. */
export function buildPaidApp(options: PaidAppOptions): FastifyInstance {
  const { surface, settings, log, clientAddress, operations, plans, addRoutes } = options
  const app = fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    exposeHeadRoutes: false,
    bodyLimit: 1024,
    ...SERVER_LIMITS,
    genReqId: requestIds(),
    clientErrorHandler: refuseBrokenRequest,
    frameworkErrors: (_error, request, reply) => {
      setHeaders(request as FastifyRequest, reply as FastifyReply)
      send(reply as FastifyReply, problemAnswer(plainProblem(400, 'the address cannot be read')))
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LIMITS.urlBytes, querystringParser: () => ({}) },
  }) as unknown as FastifyInstance
  ignoreExpectations(app.server)
  limitUnreadOutput(app.server)
  endConnectionsOnClose(app)

  // Payments still to be marked as handed over when the process is asked to stop.
  const afterwork = new Set<Promise<void>>()
  const track = (work: Promise<void>) => {
    const tracked = work
      .catch((error) => log.error({ err: error }, 'marking a payment failed: it stays open until the reconciler closes it'))
      .finally(() => {
        afterwork.delete(tracked)
      })
    afterwork.add(tracked)
  }
  app.addHook('onClose', async () => {
    await Promise.all(afterwork)
  })

  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply)
    done(checkRequest(request, MAX_URL_BYTES))
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
  app.setErrorHandler((error, _request, reply) => {
    const failure = toErrorAnswer(error)
    if (failure.isOurs) log.error({ err: error }, 'paid request failed')
    send(reply, problemAnswer(plainProblem(failure.status, failure.body.message), failure.headers))
  })
  app.setNotFoundHandler((_request, reply) => send(reply, problemAnswer(plainProblem(404, 'no such path; see /openapi.json'))))

  const clientOf = ({ socket, headers }: FastifyRequest) => networkOf(clientAddress(socket.remoteAddress, headers))
  const items: readonly Sold[] = [...operations, ...plans.items]
  const selling = { surface, items, track, clientOf }
  for (const item of items) addItem(app, item, selling)
  addRoutes?.(app, selling)
  addDocument(app, '/openapi.json', 'application/json', JSON.stringify(describeApi(settings, items)))
  addDocument(app, '/v1/plans', 'application/json', plans.list)
  const icon = readFileSync(packagePath('build/page/favicon.svg'), 'utf8')
  for (const url of ['/favicon.ico', '/favicon.svg']) addDocument(app, url, 'image/svg+xml', icon)
  addDocument(app, '/llms.txt', 'text/plain; charset=utf-8', describeForModels(settings, items))
  return app
}

export type Selling = {
  surface: PaidSurface
  /** everything that is sold */
  items: readonly Sold[]
  track: (work: Promise<void>) => void
  /** whom limits count */
  clientOf: (request: FastifyRequest) => string
}

function addItem(app: FastifyInstance, item: Sold, { surface, track, clientOf }: Selling): void {
  const { method, path } = item
  const url = routeOf(path)
  app.route({
    method,
    url,
    handler: async (request, reply) => {
      const answer = await surface.answer({
        operation: item,
        params: request.params as Record<string, string>,
        target: request.url,
        headers: {
          authorization: request.headers.authorization,
          'payment-signature': single(request.headers['payment-signature']),
          'idempotency-key': single(request.headers['idempotency-key']),
          'accept-payment': single(request.headers['accept-payment']),
          apikey: single(request.headers.apikey),
        },
        client: clientOf(request),
      })
      watchDelivery(answer, reply, track)
      send(reply, compress(answer, request, reply))
      return reply
    },
  })
  addOtherMethods(app, url, `${method}, OPTIONS`)
}

type Delivery = Pick<PaidAnswer, 'onDelivered' | 'onLost'>

/** An answer counts as handed over when its last byte went to the system; a connection that broke before keeps its payment good. */
export function watchDelivery(
  { onDelivered, onLost }: Delivery,
  reply: FastifyReply,
  track: (work: Promise<void>) => void,
): void {
  if (!onDelivered || !onLost) return
  if (reply.raw.closed || reply.raw.destroyed || reply.request.socket.destroyed) {
    track(onLost())
    return
  }
  let isDone = false
  reply.raw.once('finish', () => {
    isDone = true
    track(onDelivered())
  })
  reply.raw.once('close', () => {
    if (!isDone) track(onLost())
  })
}

function compress(answer: PaidAnswer, request: FastifyRequest, reply: FastifyReply): PaidAnswer {
  if (answer.body.length < GZIP_FROM || !wantsGzip(request.headers['accept-encoding'])) return answer
  reply.header('content-encoding', 'gzip')
  return { ...answer, body: gzipSync(answer.body, { level: 1 }) }
}

function addDocument(app: FastifyInstance, url: string, type: string, text: string): void {
  const body = Buffer.from(text)
  app.route({
    method: ['GET', 'HEAD'],
    url,
    handler: (_request, reply) => {
      reply.header('cache-control', 'max-age=300').type(type).send(body)
    },
  })
  addOtherMethods(app, url, 'GET, HEAD, OPTIONS')
}

/** A sale is no side effect of a question about headers, so operations know no HEAD. */
function addOtherMethods(app: FastifyInstance, url: string, allow: string): void {
  app.options(url, (_request, reply) => {
    reply.headers(PREFLIGHT).header('allow', allow).code(204).send()
  })
  const refuse = (_request: FastifyRequest, reply: FastifyReply) =>
    send(reply, problemAnswer(plainProblem(405, `only ${allow} are known here`), { allow }))
  const others = (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter((method) => !allow.includes(method))
  app.route({ method: [...others], url, onRequest: refuse, handler: refuse })
}

function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(EVERYWHERE).headers(EXPOSED).header('x-request-id', request.id)
}

function send(reply: FastifyReply, { status, type, body, headers }: PaidAnswer): void {
  reply.code(status).headers(headers)
  if (status === 204) reply.send()
  // Bytes, because the framework adds a charset to the type of texts.
  else reply.header('content-type', type).send(Buffer.from(body))
}

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)
