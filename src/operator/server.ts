import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { toErrorAnswer } from '../api/http/error-answer.ts'
import { BadRequest, HttpError } from '../api/http/errors.ts'
import { endConnectionsOnClose } from '../api/http/last-answers.ts'
import { NO_SCHEMAS } from '../api/http/no-schemas.ts'
import { addOtherMethods } from '../api/http/other-methods.ts'
import { writeJson } from '../api/http/write-json.ts'
import { toRollup } from '../api/view/rollup.ts'
import type { ActiveKey, KeyRing } from '../store/access/key-ring.ts'
import { listUnverified } from '../store/read/rollup/list.ts'
import { AccessDenied, OperatorAuth } from './auth.ts'
import { readBulk, readId, readNewRollup, readRollupFields } from './rollup-input.ts'
import { RollupDesk } from './rollups.ts'
import { readStatus, type StatusNetwork } from './status.ts'

export type OperatorNetwork = StatusNetwork & {
  /** the database that is written to */
  url: string
}

export type OperatorApiOptions = {
  /** the first one is meant when a request names none */
  networks: OperatorNetwork[]
  ring: KeyRing
  /** what was done by whom */
  onAction?: (facts: { action: string; network: string; key: string; rollup?: number }) => void
  onError?: (error: unknown, facts: { requestId: string; route: string | undefined }) => void
}

const BODY_BYTES = 2 * 1024 * 1024
const TIMEOUT_MS = 30_000
const SUCCESS = { message: 'success' }

type Work = (context: { request: FastifyRequest; key: ActiveKey; desk: RollupDesk; network: OperatorNetwork }) => Promise<unknown>

/** The operator's API: the rollup registry and the state of the networks, with bearer keys. Undefined answers are 204. */
export function buildOperatorApi(options: OperatorApiOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    bodyLimit: BODY_BYTES,
    requestTimeout: TIMEOUT_MS,
    exposeHeadRoutes: false,
  })
  endConnectionsOnClose(app)
  readBodies(app)
  const auth = new OperatorAuth(options.ring)
  const networks = new Map(options.networks.map((network) => [network.name, network]))

  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { status, body, headers, isOurs } = toErrorAnswer(fromParser(error))
    if (isOurs) options.onError?.(error, { requestId: request.id, route: request.routeOptions.url })
    const answer = error instanceof AccessDenied ? { error: error.message } : { ...body, request_id: request.id }
    reply.headers(headers).code(status).header('content-type', 'application/json').send(writeJson(answer))
  }
  app.setErrorHandler(fail)
  app.setNotFoundHandler((request, reply) => fail(new HttpError(404, 'not_found', 'Not Found'), request, reply))
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    done()
  })

  const routes: { path: string; method: string }[] = []
  const route = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, needsAdmin: boolean, work: Work) => {
    const keys = new WeakMap<FastifyRequest, ActiveKey>()
    routes.push({ path: `/v1/auth${url}`, method })
    app.route({
      method,
      url: `/v1/auth${url}`,
      // Before the body is read: who has no key sends nothing here.
      onRequest: (request, _reply, done) => {
        keys.set(request, auth.check(request, needsAdmin))
        done()
      },
      handler: async (request, reply) => {
        const name = (request.query as { network?: unknown }).network ?? options.networks[0]?.name
        const network = networks.get(String(name))
        if (!network) throw new BadRequest(`there is no network ${String(name)}`, 'network', 'unknown_network')
        const key = keys.get(request)!
        const desk = new RollupDesk(network)
        const answer = await work({ request, key, desk, network })
        if (answer === undefined) return reply.code(204).send()
        return reply.header('content-type', 'application/json').send(writeJson(answer))
      },
    })
  }
  const done = (action: string, network: OperatorNetwork, key: ActiveKey, rollup?: number) =>
    options.onAction?.({ action, network: network.name, key: key.id, ...(rollup !== undefined && { rollup }) })

  route('POST', '/rollup/new', false, async ({ request, key, desk, network }) => {
    const id = await desk.create(readNewRollup(request.body), key.role === 'admin')
    done('create', network, key, id)
    return { id }
  })

  route('PATCH', '/rollup/:id', false, async ({ request, key, desk, network }) => {
    const id = pathId(request)
    if (!(await desk.update(id, readRollupFields(request.body), key.role === 'admin'))) return undefined
    done('update', network, key, id)
    return SUCCESS
  })

  route('DELETE', '/rollup/:id', true, async ({ request, key, desk, network }) => {
    const id = pathId(request)
    if (!(await desk.remove(id))) throw unknownRollup(id)
    done('delete', network, key, id)
    return SUCCESS
  })

  route('PATCH', '/rollup/:id/verify', true, async ({ request, key, desk, network }) => {
    const id = pathId(request)
    if (!(await desk.verify(id))) throw unknownRollup(id)
    done('verify', network, key, id)
    return SUCCESS
  })

  route('GET', '/rollup/unverified', true, async ({ network }) => (await listUnverified(network.db)).map(toRollup))

  route('GET', '/status', false, async ({ network }) => ({
    ...(await readStatus(network)),
    networks: [...networks.keys()],
  }))

  route('POST', '/bulk', false, async ({ request, key, desk, network }) => {
    const results: ({ id: number } | { error: string })[] = []
    // One after the other, each in its own transaction: an item that fails leaves the others alone.
    for (const item of readBulk(request.body))
      results.push(await applyItem(item, key.role === 'admin', desk).catch((error: unknown) => ({ error: describe(error) })))
    for (const result of results) if ('id' in result) done('bulk', network, key, result.id)
    return results
  })

  addOtherMethods(app, routes)
  return app
}

/** JSON, or nothing at all: clients name a type also where they send no body. */
function readBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('*', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    const type = request.headers['content-type'] ?? ''
    if (/^application\/json\s*(;|$)/i.test(type)) return parseJson(request, body, done)
    done(new BadRequest('the body must be JSON', 'body', 'invalid_body'))
  })
}

async function applyItem(item: Record<string, unknown>, isAdmin: boolean, desk: RollupDesk): Promise<{ id: number }> {
  const id = readId(item.id)
  if (id === 0) return { id: await desk.create(readNewRollup(item), isAdmin) }
  if (!(await desk.update(id, readRollupFields(item), isAdmin))) throw unknownRollup(id)
  return { id }
}

/** Our own failures do not tell what they are. */
function describe(error: unknown): string {
  return toErrorAnswer(error).body.message
}

function pathId(request: FastifyRequest): number {
  const { id } = request.params as { id: string }
  if (!/^[1-9]\d{0,9}$/.test(id) || Number(id) > 2 ** 31 - 1) throw new BadRequest('id must be an integer of 1 or more', 'id')
  return Number(id)
}

function unknownRollup(id: number): BadRequest {
  return new BadRequest(`there is no rollup ${id}`, 'id', 'unknown_rollup')
}

/** Errors of the framework's JSON parser as errors of ours. */
function fromParser(error: unknown): unknown {
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  if (statusCode === 400 || statusCode === 415 || code === 'FST_ERR_CTP_EMPTY_JSON_BODY')
    return new BadRequest('the body must be JSON', 'body', 'invalid_body')
  return error
}
