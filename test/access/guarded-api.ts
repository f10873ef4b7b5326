import type { FastifyInstance } from 'fastify'
import { AccountManager } from '../../src/access/accounts.ts'
import type { AccessEvents } from '../../src/access/guard.ts'
import { type AccessService, buildGuardedApi, startAccess } from '../../src/access/service.ts'
import { HeadWatch } from '../../src/api/head-watch.ts'
import type { BlockStore } from '../../src/api/square/block-store.ts'
import { listOperationIds } from '../../src/client-generator/describe.ts'
import { loadConfig } from '../../src/config/load.ts'
import { attachWebSocket } from '../../src/live/attach.ts'
import { addMcpToKeySurface } from '../../src/mcp/key-surface.ts'
import { openReader, type SqlPool } from '../../src/store/db.ts'
import { addWebhooks } from '../../src/webhooks/routes.ts'
import { openWebhooks, type WebhookServiceOptions } from '../../src/webhooks/service.ts'
import { SCHEMA } from '../support/templates.ts'
import { PEPPER, SECRETS } from './secrets.ts'

export { PEPPER, SECRETS }

const knownNames = () => ({ networks: new Set(['main', 'test']), operations: listOperationIds() })

/** The manager of accounts over a pool of the shared schema. */
export const openManager = (sql: SqlPool, plans = ['free', 'small']) =>
  new AccountManager({ sql, secrets: SECRETS, plans, knownNames, graceHours: 24 })

/** A plan that a test can use up. */
export const SMALL_PLAN = {
  name: 'small',
  requests_per_second: 0.1,
  burst_seconds: 400,
  daily_quota: 100_000,
  websocket_connections: 2,
}

export type GuardedApiOptions = {
  access?: Record<string, unknown>
  network?: { name: string; kind: 'main' | 'test' }
  host?: string
  exemptLoopback?: boolean
  schema?: string
  events?: AccessEvents
  onTrouble?: (what: string, error?: unknown) => void
  forgetMs?: number
  /** address of the paid surface */
  shopUrl?: string
  /** with WebSocket and event streams */
  push?: boolean
  /** with tools for agents */
  mcp?: true | { answerBytes: number }
  /** bytes of blocks, for contents and proofs; by default there are none */
  blocks?: BlockStore
  /** with webhooks: settings, and whether this process delivers */
  webhooks?: Partial<WebhookServiceOptions> & { deliver: boolean }
}

export type TestApi = { app: FastifyInstance; service: AccessService; close: () => Promise<void> }

/** The key surface with keys, plans and limits, over a database that is there already. */
export async function openGuardedApi(url: string, options: GuardedApiOptions = {}): Promise<TestApi> {
  const {
    access: accessConfig,
    attribution,
    webhooks: webhooksConfig,
  } = loadConfig({
    env: {},
    overrides: { access: { plans: [{ name: 'free', requests_per_second: 1000 }, SMALL_PLAN], ...options.access } },
  })
  const service = await startAccess({
    url,
    config: accessConfig,
    attribution,
    pepper: PEPPER,
    knownNames,
    shopUrl: options.shopUrl,
    ...(options.events && { events: options.events }),
    ...(options.onTrouble && { onTrouble: options.onTrouble }),
    ...(options.forgetMs && { forgetMs: options.forgetMs }),
  })
  const schema = options.schema ?? SCHEMA
  const db = openReader({ url, schema, max: 2 })
  const watch = new HeadWatch(db, { schema, listenOn: options.webhooks && db })
  await watch.start()
  const ctx = {
    network: { chainId: watch.head?.chain_id ?? '', ...(options.network ?? { name: 'main', kind: 'main' as const }) },
    db,
    watch,
    head: () => watch.head,
    blocks: options.blocks ?? { read: async () => undefined },
    now: () => Date.now(),
  }
  const { app, access } = buildGuardedApi(ctx, service, {
    host: options.host ?? '127.0.0.1',
    exemptLoopback: options.exemptLoopback ?? false,
    validateResponses: true,
  })
  if (options.push)
    attachWebSocket(app, ctx, {
      allow: (request) => access.allowSocket(request),
      allowKey: (request, key) => access.allowSocketKey(request, key),
    })
  if (options.mcp) {
    const { answerBytes } = options.mcp === true ? { answerBytes: undefined } : options.mcp
    addMcpToKeySurface(app, ctx, { access, onError: (error) => options.onTrouble?.('tool', error), answerBytes })
  }
  const webhooks = options.webhooks
    ? openWebhooks(ctx, {
        url,
        config: webhooksConfig,
        plans: service.parts.plans,
        pepper: PEPPER,
        graceMs: 60_000,
        ...options.webhooks,
      })
    : undefined
  if (webhooks) addWebhooks(app, access, webhooks.manager)
  if (options.webhooks?.deliver) await webhooks?.deliver()
  return {
    app,
    service,
    close: async () => {
      await app.close()
      await webhooks?.close()
      await watch.stop()
      await service.close()
      await db.end()
    },
  }
}
