import type { FastifyInstance } from 'fastify'
import { createBodyReader } from '../api/http/read-request.ts'
import type { ActiveKey } from '../store/access/key-ring.ts'
import { accountOperations, NewKey, Rotation } from './account-schema.ts'
import { type AccountManager, toHttpError } from './accounts.ts'
import type { NetworkAccess } from './guard.ts'
import { toKey } from './key-view.ts'
import { type Asked, addOwnedRoutes, ownedPaths } from './owned-routes.ts'

type Name = keyof typeof accountOperations

const paths = ownedPaths<Name>(
  {
    usage: ['GET', '/v1/usage'],
    account: ['GET', '/v1/account'],
    create: ['POST', '/v1/keys'],
    remove: ['DELETE', '/v1/keys/:id'],
    rotate: ['POST', '/v1/keys/:id/rotate'],
  },
  accountOperations,
)

/** For the description of the API and the typed client. */
export const accountPaths = Object.values(paths)

const readNewKey = createBodyReader(NewKey)
const readRotation = createBodyReader(Rotation)

/** Adds what the holder of a key can see and change of its account to the key surface. Call it before the app listens. */
export function addAccountRoutes(app: FastifyInstance, access: NetworkAccess, manager: AccountManager): void {
  const handlers: Record<Name, (asked: Asked<{ id: string }>) => Promise<unknown>> = {
    usage: async ({ key, plan }) => ({
      key: key.id,
      plan: plan.name,
      requests_per_second: plan.rate,
      burst: plan.burst,
      daily_quota: plan.quota ?? null,
      days: await manager.usage(key.account),
    }),
    account: async ({ key, plan }) => {
      const [row, keys, webhooks] = await Promise.all([
        manager.account(key.account),
        manager.keys(key.account),
        manager.webhooks(key.account),
      ])
      return {
        account: key.account,
        plan: plan.name,
        valid_until: row.valid_until,
        test_networks: plan.testNetworks || key.testNetworks,
        key: key.id,
        keys: keys.map(toKey),
        webhooks: webhooks.map(({ id, network, url, state, height }) => ({ id, network, url, state, height })),
      }
    },
    create: async ({ key, body }) => {
      const { name, restrictions } = readNewKey(body)
      const own = await manager.ownKey(key.account, key.id)
      const made = await manager.createKey(
        {
          name,
          restrictions,
          plan: key.plan,
          testNetworks: key.testNetworks,
          expiresAt: own.expires_at === null ? undefined : new Date(own.expires_at),
          account: key.account,
        },
        byOwner(key),
      )
      return { ...toKey(await manager.ownKey(key.account, made.id)), text: made.text }
    },
    remove: async ({ key, params }) => {
      await manager.revokeKey(params.id, byOwner(key), { keepsOwner: true })
      return toKey(await manager.ownKey(key.account, params.id))
    },
    rotate: async ({ key, params, body = {} }) => {
      const made = await manager.rotateKey(params.id, byOwner(key), readRotation(body).grace_hours)
      return {
        ...toKey(await manager.ownKey(key.account, made.id)),
        text: made.text,
        old_key_until: made.oldExpiresAt.toISOString(),
      }
    },
  }
  addOwnedRoutes(app, access, {
    paths,
    handlers: withHttpErrors(handlers),
    needsKey: 'usage, accounts and keys belong to a key: send one in the header apikey',
    isMeter: true,
    admit: async ({ key, params }) => {
      if (params.id !== undefined) await manager.ownKey(key.account, params.id)
    },
  })
}

const byOwner = ({ id }: ActiveKey) => ({ kind: 'client' as const, name: id })

function withHttpErrors<N extends string, A>(handlers: Record<N, (asked: A) => Promise<unknown>>): typeof handlers {
  const wrap = (handle: (asked: A) => Promise<unknown>) => (asked: A) =>
    handle(asked).catch((error) => {
      throw toHttpError(error)
    })
  const wrapped = Object.entries<(asked: A) => Promise<unknown>>(handlers).map(([name, handle]) => [name, wrap(handle)])
  return Object.fromEntries(wrapped) as typeof handlers
}
