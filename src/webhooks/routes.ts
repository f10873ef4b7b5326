import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { NetworkAccess } from '../access/guard.ts'
import type { Plan } from '../access/plans.ts'
import { NO_STORE } from '../api/http/answer.ts'
import { compileParams, compileQuery } from '../api/http/bind.ts'
import { BadRequest, HttpError } from '../api/http/errors.ts'
import { addOtherMethods } from '../api/http/other-methods.ts'
import { parseQuery } from '../api/http/query-string.ts'
import { writeJson } from '../api/http/write-json.ts'
import type { ForeignPath } from '../api/openapi.ts'
import type { RouteSchema } from '../api/route.ts'
import { timeOfMicros } from '../lib/time.ts'
import type { WebhookDesk } from './desk.ts'
import { NewWebhook, operations, WebhookChange } from './schema.ts'
import { toAttempt, toDelivery, toWebhook } from './view.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Name = keyof typeof operations

/** Routes of subscriptions. They write, so they do not pass through what keeps and repeats answers of the chain. */
const PATHS: Record<Name, [method: Method, path: string]> = {
  list: ['GET', '/v1/webhooks'],
  create: ['POST', '/v1/webhooks'],
  get: ['GET', '/v1/webhooks/:id'],
  change: ['PATCH', '/v1/webhooks/:id'],
  remove: ['DELETE', '/v1/webhooks/:id'],
  test: ['POST', '/v1/webhooks/:id/test'],
  pause: ['POST', '/v1/webhooks/:id/pause'],
  resume: ['POST', '/v1/webhooks/:id/resume'],
  rotate: ['POST', '/v1/webhooks/:id/rotate'],
  deliveries: ['GET', '/v1/webhooks/:id/deliveries'],
  replay: ['POST', '/v1/webhooks/:id/deliveries/:delivery/replay'],
}

/** For the description of the API and the typed client. */
export const webhookPaths: readonly (Extract<ForeignPath, { schema: unknown }> & { method: Method })[] = Object.entries(
  PATHS,
).map(([name, [method, path]]) => ({
  method,
  path,
  schema: operations[name as Name],
}))

type Asked = {
  account: string
  plan: Plan
  params: { id: string; delivery: string }
  query: Record<string, unknown>
  body: unknown
  /** what posts to somebody costs as much as an export */
  charge: () => Promise<void>
}

const POST_COST = 9

/** Adds `/v1/webhooks` to the key surface of a network. Call it before the app listens. */
export function addWebhooks(app: FastifyInstance, access: NetworkAccess, desk: WebhookDesk): void {
  const handlers: Record<Name, (asked: Asked) => Promise<unknown>> = {
    list: async ({ account }) => (await desk.list(account)).map(toWebhook),
    create: async ({ account, plan, body }) => {
      const { row, secret } = await desk.create(account, plan.webhooks, readBody(NEW_WEBHOOK, body))
      return { ...toWebhook(row), secret }
    },
    get: async ({ account, params }) => toWebhook(await desk.get(account, params.id)),
    change: async ({ account, params, body }) => toWebhook(await desk.change(account, params.id, readBody(CHANGE, body))),
    remove: async ({ account, params }) => toWebhook(await desk.remove(account, params.id)),
    test: async ({ account, params, charge }) => {
      await charge()
      return toAttempt(await desk.test(account, params.id))
    },
    pause: async ({ account, params }) => toWebhook(await desk.pause(account, params.id)),
    resume: async ({ account, params }) => toWebhook(await desk.resume(account, params.id)),
    rotate: async ({ account, params }) => {
      const { secret, oldUntil } = await desk.rotate(account, params.id)
      return { secret, old_secret_until: timeOfMicros(oldUntil.getTime() * 1000) }
    },
    deliveries: async ({ account, params, query }) =>
      (await desk.deliveries(account, params.id, query as Parameters<WebhookDesk['deliveries']>[2])).map(toDelivery),
    replay: async ({ account, params, charge }) => {
      await charge()
      return toAttempt(await desk.replay(account, params.id, params.delivery))
    },
  }
  const ownerOf = (request: FastifyRequest) => {
    const { key, plan } = access.callerOf(request) ?? {}
    if (!key || !plan) throw new HttpError(401, 'key_required', 'webhooks belong to a key: send one in the header apikey')
    return { key, plan }
  }
  for (const [name, [method, url]] of Object.entries(PATHS)) {
    const schema: RouteSchema = operations[name as Name]
    const [bindParams, bindQuery] = [compileParams(schema.params), compileQuery(schema.querystring)]
    const paramsOf = (request: FastifyRequest) => bindParams(request.params as Record<string, string>).values as Asked['params']
    app.route({
      method,
      url,
      // Before a body is looked at: what somebody else's webhook would make of it is not told.
      preParsing: async (request) => {
        const { key } = ownerOf(request)
        if (schema.params && method !== 'GET') await desk.get(key.account, paramsOf(request).id)
      },
      handler: async (request, reply) => {
        const { key, plan } = ownerOf(request)
        const answer = await handlers[name as Name]({
          account: key.account,
          plan,
          params: paramsOf(request),
          query: bindQuery(queryOf(request)).values,
          body: request.body,
          charge: () => access.chargeMessages(request, reply, POST_COST),
        })
        return send(reply, answer)
      },
    })
  }
  addOtherMethods(
    app,
    webhookPaths.map(({ method, path }) => ({ method, path })),
  )
}

function queryOf({ url }: FastifyRequest) {
  const mark = url.indexOf('?')
  return parseQuery(mark < 0 ? '' : url.slice(mark + 1))
}

function send(reply: FastifyReply, answer: unknown): FastifyReply {
  return reply.header('cache-control', NO_STORE).header('content-type', 'application/json').send(writeJson(answer))
}

const NEW_WEBHOOK = { schema: NewWebhook, check: Compile(NewWebhook) }
const CHANGE = { schema: WebhookChange, check: Compile(WebhookChange) }

/** Bodies with lists and objects inside, which the binder of flat bodies does not know. */
function readBody<S extends TSchema>({ check }: { schema: S; check: ReturnType<typeof Compile<S>> }, body: unknown): Static<S> {
  if (check.Check(body)) return body as Static<S>
  const [error] = check.Errors(body)
  const place = (error?.instancePath ?? '').slice(1).replaceAll('/', '.') || 'body'
  // A closed object says of a field that it has not: "schema is false".
  const what = error?.keyword === 'boolean' ? 'is not known' : (error?.message ?? 'is not valid')
  throw new BadRequest(`${place} ${what}`, place, 'invalid_body')
}
