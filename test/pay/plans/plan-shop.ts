import { announceKeys } from '../../../src/store/access/keys.ts'
import { openPool, type SqlPool } from '../../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../../src/store/migrations/migrate.ts'
import { openGuardedApi, SECRETS, type TestApi } from '../../access/guarded-api.ts'
import { freshDatabase } from '../../support/database.ts'
import { type Bed, makeBed, type ServeOptions, type Server } from '../bed.ts'
import { CONFIGS, PLANS } from './plans.ts'

export const DAY_S = 86_400

export type Bought = {
  key?: string
  key_id: string
  account: string
  plan: string
  valid_until: string
  renewed: boolean
  renew_url: string
}

/** A paid server and two servers of the key surface over one database. */
export type PlanShop = {
  bed: Bed
  server: Server
  serve: (options?: ServeOptions) => Promise<Server>
  apis: TestApi[]
  sql: SqlPool
  databaseUrl: string
  url: (plan: string) => string
  /** Lets days pass: both servers of the key surface know at once. */
  pass: (days: number) => Promise<void>
  stop: () => Promise<void>
}

export async function openPlanShop(options: ServeOptions = {}): Promise<PlanShop> {
  const [bed, databaseUrl] = await Promise.all([makeBed(), freshDatabase()])
  const sql = openPool('access', { url: databaseUrl, schema: SHARED_SCHEMA, max: 2 })
  const serve = (more: ServeOptions = {}) =>
    bed.serve({ databaseUrl, plans: { configs: CONFIGS, secrets: SECRETS }, ...options, ...more })
  const server = await serve()
  const apis = await Promise.all([1, 2].map(() => openGuardedApi(databaseUrl, { access: { plans: PLANS }, shopUrl: server.url })))
  return {
    bed,
    server,
    serve,
    apis,
    sql,
    databaseUrl,
    url: (plan) => `${server.url}/v1/plans/${plan}/keys`,
    async pass(days) {
      await moveIntoPast(sql, days)
      await Promise.all(apis.map(({ service }) => service.parts.ring.refresh()))
    },
    async stop() {
      await Promise.all(apis.map((api) => api.close()))
      await sql.end()
      await bed.stop()
    },
  }
}

/** Moves everything that was sold into the past, which is what passing time does to it. */
export async function moveIntoPast(sql: SqlPool, days: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`update plan_term set starts_at = starts_at - ${days} * interval '1 day', ends_at = ends_at - ${days} * interval '1 day'`
    await tx`update api_key set expires_at = expires_at - ${days} * interval '1 day', changed_at = clock_timestamp()`
    await announceKeys(tx)
  })
}
