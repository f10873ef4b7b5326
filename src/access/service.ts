import type { FastifyInstance } from 'fastify'
import type { ApiContext } from '../api/route.ts'
import { allRoutes } from '../api/routes/all.ts'
import { type ApiOptions, buildApi } from '../api/server.ts'
import type { AccessConfig, AttributionConfig } from '../config/access-schema.ts'
import { KeyRing } from '../store/access/key-ring.ts'
import { createLimitStore, forgetBuckets, type LimitStore } from '../store/access/limit-store.ts'
import { checkPepper, comparePepper } from '../store/access/pepper.ts'
import { openPool, type SqlPool } from '../store/db.ts'
import { migrate, SHARED_SCHEMA } from '../store/migrations/migrate.ts'
import { accountPaths, addAccountRoutes } from './account-routes.ts'
import { AccountManager } from './accounts.ts'
import { createClientAddress, isLoopback } from './client.ts'
import { type AccessEvents, type AccessParts, NetworkAccess } from './guard.ts'
import { planRoutes } from './plan-list.ts'
import { createPlans } from './plans.ts'
import { createPriceAge } from './price-age.ts'
import { RateLimiter } from './rate-limit.ts'
import type { KnownNames } from './restrictions.ts'
import { attributionRoutes } from './routes.ts'
import { Shop } from './shop.ts'
import { UsageCounter } from './usage.ts'
import { WrongKeys } from './wrong-keys.ts'

export type AccessServiceOptions = {
  /** database with the shared schema, up to date */
  url: string
  /** replica to read the keys from until the database answers for the first time */
  copyUrl?: string | undefined
  config: AccessConfig
  /** public address of the paid surface, where keys are sold */
  shopUrl?: string | undefined
  attribution: AttributionConfig
  pepper: string
  /** what keys can be restricted to */
  knownNames: () => KnownNames
  events?: AccessEvents
  onTrouble?: (what: AccessTrouble, error?: unknown) => void
  forgetMs?: number
}

/** The shared counters went away or came back; keys, usage or counters that are over could not be read, written or deleted. */
export type AccessTrouble = 'limits_down' | 'limits_up' | 'keys' | 'usage' | 'forgetting'

/** Keys, plans and limits of a process, for all of its networks. */
export type AccessService = {
  parts: AccessParts
  accounts: AccountManager
  sql: SqlPool
  attribution: AttributionConfig
  close: () => Promise<void>
}

const FORGET_MS = 3_600_000

export async function startAccess(options: AccessServiceOptions): Promise<AccessService> {
  const { url, copyUrl, config, pepper, onTrouble = () => {} } = options
  const sql = openPool('access', { url, schema: SHARED_SCHEMA })
  const counters =
    config.limits_url === undefined ? sql : openPool('access', { url: config.limits_url, schema: SHARED_SCHEMA, max: 2 })
  const store = config.limits_url === undefined ? createLimitStore(sql) : openOwnCounters(config.limits_url, counters)
  const copy = copyUrl === undefined ? undefined : openPool('access', { url: copyUrl, schema: SHARED_SCHEMA, max: 1 })
  await (copy ? comparePepper(copy, pepper) : checkPepper(sql, pepper))
  const secrets = { environment: config.environment, pepper }
  const ring = new KeyRing(sql, secrets, { ...(copy && { copy }), onError: (error) => onTrouble('keys', error) })
  await ring.start()
  const limiter = new RateLimiter(store, {
    onStore: (state, error) => onTrouble(state === 'down' ? 'limits_down' : 'limits_up', error),
  })
  await limiter.start()
  const usage = new UsageCounter(sql, { onError: (error) => onTrouble('usage', error) })
  usage.start()
  const forgetting = setInterval(() => {
    forgetBuckets(counters).catch((error) => onTrouble('forgetting', error))
  }, options.forgetMs ?? FORGET_MS)
  forgetting.unref()
  return {
    parts: {
      plans: createPlans(config.plans),
      ring,
      limiter,
      usage,
      wrongKeys: new WrongKeys(),
      shop: new Shop(config.plans, options.shopUrl),
      clientAddress: createClientAddress(config.trusted_proxies),
      pepper,
      ...(options.events && { events: options.events }),
    },
    sql,
    accounts: new AccountManager({
      sql,
      secrets,
      plans: config.plans.map(({ name }) => name),
      knownNames: options.knownNames,
      graceHours: config.rotation_grace_hours,
    }),
    attribution: options.attribution,
    async close() {
      clearInterval(forgetting)
      await Promise.all([ring.stop(), limiter.stop(), usage.stop()])
      const pools = new Set([sql, counters, ...(copy ? [copy] : [])])
      await Promise.all([...pools].map((pool) => pool.end({ timeout: 2 })))
    },
  }
}

/** Counters in a database of their own: its tables are made when it answers for the first time, which may be after the start. */
function openOwnCounters(url: string, sql: SqlPool): LimitStore {
  const store = createLimitStore(sql)
  let ready: Promise<unknown> | undefined
  const prepare = async () => {
    ready ??= migrate(url, SHARED_SCHEMA, 'shared')
    await ready.catch((error: unknown) => {
      ready = undefined
      throw error
    })
  }
  return {
    take: async (asks) => {
      await prepare()
      return store.take(asks)
    },
    meet: async (server) => {
      await prepare()
      return store.meet(server)
    },
    leave: (server) => store.leave(server),
  }
}

export type GuardedApi = { app: FastifyInstance; access: NetworkAccess }

/** The key surface of one network behind keys, plans and limits. `host` is where it will listen. */
export function buildGuardedApi(
  ctx: ApiContext,
  service: AccessService,
  options: ApiOptions & { host: string; exemptLoopback: boolean },
): GuardedApi {
  const { host, exemptLoopback, ...apiOptions } = options
  const { text, example, url } = service.attribution
  const access = new NetworkAccess(service.parts, {
    network: ctx.network,
    // A server that others can reach has no exemption: who is "local" there depends on what stands in front of it.
    exemptLoopback: exemptLoopback && (host === 'localhost' || isLoopback(host)),
    licenseLink: `<${service.attribution.license_url ?? '/v1/attribution'}>; rel="license"`,
  })
  const app = buildApi(ctx, {
    ...apiOptions,
    clientOf: access.clientOf,
    onAnswer: access.chargeBytes,
    payForPage: access.payForPage,
    terms: `${text} For example: [${example}](${url}).`,
    guards: [access.guard, createPriceAge(ctx.db), ...(apiOptions.guards ?? [])],
    groups: [
      ...(apiOptions.groups ?? allRoutes),
      attributionRoutes(service.attribution),
      planRoutes(() => service.parts.shop.plans),
    ],
    otherPaths: [...accountPaths, ...(apiOptions.otherPaths ?? [])],
  })
  addAccountRoutes(app, access, service.accounts)
  app.addHook('onSend', access.addLicense)
  return { app, access }
}
