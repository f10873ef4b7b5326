import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { type AccountManager, toHttpError } from '../access/accounts.ts'
import { networkOf } from '../access/client.ts'
import { WrongKeys } from '../access/wrong-keys.ts'
import { readBody } from '../api/http/body.ts'
import { toErrorAnswer } from '../api/http/error-answer.ts'
import { BadRequest, HttpError, Unavailable } from '../api/http/errors.ts'
import { endConnectionsOnClose } from '../api/http/last-answers.ts'
import { NO_SCHEMAS } from '../api/http/no-schemas.ts'
import { addOtherMethods } from '../api/http/other-methods.ts'
import { writeJson } from '../api/http/write-json.ts'
import type { ActiveKey, KeyRing } from '../store/access/key-ring.ts'
import type { SqlPool } from '../store/db.ts'
import { addAccountRoutes } from './account-routes.ts'
import { addRevenueRoute } from './revenue.ts'
import { addRollupRoutes, type NoteRollup } from './rollup-routes.ts'
import { type AddRoute, actorOf, type OperatorNetwork } from './route.ts'
import { readStatus } from './status.ts'

export type OperatorApiOptions = {
  /** the first one is meant when a request names none */
  networks: OperatorNetwork[]
  ring: KeyRing
  accounts: AccountManager
  /** shared schema, for the ledger of payments */
  sql: SqlPool
  /** what was done by whom */
  onAction?: (facts: { action: string; network: string; key: string; rollup: number }) => void
  onError?: (error: unknown, facts: { requestId: string; route: string | undefined }) => void
}

const BODY_BYTES = 2 * 1024 * 1024
const TIMEOUT_MS = 30_000

/** The operator's API: the rollup registry, accounts and the state of the networks, with bearer keys. Undefined answers are 204. */
export function buildOperatorApi(options: OperatorApiOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    bodyLimit: BODY_BYTES,
    requestTimeout: TIMEOUT_MS,
    exposeHeadRoutes: false,
  })
  endConnectionsOnClose(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, readBody)
  const auth = new OperatorAuth(options.ring)
  const networks = new Map(options.networks.map((network) => [network.name, network]))

  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { status, body, headers, isOurs } = toErrorAnswer(toHttpError(error))
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
  const route: AddRoute = (method, url, needsAdmin, work) => {
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
        const answer = await work({ request, key, network })
        if (answer === undefined) return reply.code(204).send()
        return reply.header('content-type', 'application/json').send(writeJson(answer))
      },
    })
  }
  const noteRollup: NoteRollup = async (action, { key, network }, rollup) => {
    await options.accounts.noteChange({ action: `${action}_rollup`, details: { network: network.name, rollup } }, actorOf(key))
    options.onAction?.({ action, network: network.name, key: key.id, rollup })
  }

  addRollupRoutes(route, noteRollup)
  addAccountRoutes(route, options.accounts)
  addRevenueRoute(route, options.sql)

  route('GET', '/status', false, async ({ network, key }) => ({
    ...(await readStatus(network)),
    networks: [...networks.keys()],
    role: key.role,
  }))

  addOtherMethods(app, routes)
  return app
}

/** `{"error":"access denied"}`: the one answer with its own shape (docs/rules.md R53). */
class AccessDenied extends HttpError {
  constructor() {
    super(403, 'access_denied', 'access denied')
  }
}

/** Authentication of operators: keys with a role, from the same ring as those of callers. */
class OperatorAuth {
  readonly #ring: KeyRing
  readonly #wrongKeys = new WrongKeys()

  constructor(ring: KeyRing) {
    this.#ring = ring
  }

  check(request: FastifyRequest, needsAdmin: boolean): ActiveKey {
    const text = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (text === undefined) throw new BadRequest('missing key in request header', undefined, 'missing_key')
    if (!this.#ring.isLoaded) throw new Unavailable('keys_unavailable', 'keys cannot be checked at the moment', 2)
    const key = this.#ring.find(text)
    if (typeof key === 'string' || key.role === 'client') {
      if (this.#wrongKeys.add(networkOf(request.socket.remoteAddress ?? '')))
        throw new HttpError(429, 'too_many_wrong_keys', 'too many wrong keys', {
          'retry-after': String(WrongKeys.WINDOW_SECONDS),
        })
      throw new HttpError(401, 'unauthorized', 'Unauthorized', { 'www-authenticate': 'Bearer' })
    }
    if (needsAdmin && key.role !== 'admin') throw new AccessDenied()
    return key
  }
}
