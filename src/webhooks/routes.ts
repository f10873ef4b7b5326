import type { FastifyInstance } from 'fastify'
import type { NetworkAccess } from '../access/guard.ts'
import { type Asked, addOwnedRoutes, ownedPaths } from '../access/owned-routes.ts'
import { createBodyReader } from '../api/http/read-request.ts'
import { timeOfMicros } from '../lib/time.ts'
import type { WebhookManager } from './manager.ts'
import { NewWebhook, operations, WebhookChange } from './schema.ts'
import { toAttempt, toDelivery, toWebhook } from './view.ts'

type Name = keyof typeof operations

const paths = ownedPaths<Name>(
  {
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
  },
  operations,
)

/** For the description of the API and the typed client. */
export const webhookPaths = Object.values(paths)

type Params = { id: string; delivery: string }

/** Points beyond those of the request: what posts to somebody costs as much as an export. */
const POST_COST = 9

const readNew = createBodyReader(NewWebhook)
const readChange = createBodyReader(WebhookChange)

/** Adds `/v1/webhooks` to the key surface of a network. Call it before the app listens. */
export function addWebhooks(app: FastifyInstance, access: NetworkAccess, manager: WebhookManager): void {
  const handlers: Record<Name, (asked: Asked<Params>) => Promise<unknown>> = {
    list: async ({ key }) => (await manager.list(key.account)).map(toWebhook),
    create: async ({ key, plan, body }) => {
      const { row, secret } = await manager.create(key.account, plan.webhooks, readNew(body))
      return { ...toWebhook(row), secret }
    },
    get: async ({ key, params }) => toWebhook(await manager.get(key.account, params.id)),
    change: async ({ key, params, body }) => toWebhook(await manager.change(key.account, params.id, readChange(body))),
    remove: async ({ key, params }) => toWebhook(await manager.remove(key.account, params.id)),
    test: async ({ key, params, charge }) => {
      await charge(POST_COST)
      return toAttempt(await manager.test(key.account, params.id))
    },
    pause: async ({ key, params }) => toWebhook(await manager.pause(key.account, params.id)),
    resume: async ({ key, params }) => toWebhook(await manager.resume(key.account, params.id)),
    rotate: async ({ key, params }) => {
      const { secret, oldUntil } = await manager.rotate(key.account, params.id)
      return { secret, old_secret_until: timeOfMicros(oldUntil.getTime() * 1000) }
    },
    deliveries: async ({ key, params, query }) =>
      (await manager.deliveries(key.account, params.id, query as Parameters<WebhookManager['deliveries']>[2])).map(toDelivery),
    replay: async ({ key, params, charge }) => {
      await charge(POST_COST)
      return toAttempt(await manager.replay(key.account, params.id, params.delivery))
    },
  }
  addOwnedRoutes(app, access, {
    paths,
    handlers,
    needsKey: 'webhooks belong to a key: send one in the header apikey',
    admit: async ({ key, params }, { method, schema }) => {
      if (schema.params && method !== 'GET') await manager.get(key.account, params.id)
    },
  })
}
