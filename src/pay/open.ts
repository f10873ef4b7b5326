import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Clock, systemClock } from '../lib/clock.ts'
import { openLedgerDb } from '../store/pay/db.ts'
import { checkChains } from './check-chain.ts'
import { EvmSettler } from './evm/settler.ts'
import { ClientLimits } from './limits.ts'
import type { Lookup } from './lookup.ts'
import { NO_METRICS, type PayMetrics } from './metrics.ts'
import { MppRail } from './mpp.ts'
import { runReconciler } from './reconcile.ts'
import { Sale } from './sale.ts'
import { buildPaidApp } from './server.ts'
import { checkSettings, type PaySettings } from './settings.ts'
import { type OnStep, Settlement } from './settlement.ts'
import { PaidSurface } from './surface.ts'
import { X402Rail } from './x402.ts'

export type OpenPaidOptions = {
  settings: PaySettings
  lookup: Lookup
  /** a database whose shared schema is migrated */
  databaseUrl: string
  log: Logger
  metrics?: PayMetrics
  clock?: Clock
  /** wall clock in milliseconds */
  now?: () => number
  trustedProxies?: string[]
  connections?: number
  /** where the ledger's tables are; tests use one schema each */
  schema?: string
  reconcileMs?: number
  onStep?: OnStep
}

export type Paid = { app: FastifyInstance; settlement: Settlement; close: () => Promise<void> }

/** The paid surface, ready to listen: chain and settings are checked, open payments are being brought to an end. */
export async function openPaid(options: OpenPaidOptions): Promise<Paid> {
  const { settings, lookup, log } = options
  const metrics = options.metrics ?? NO_METRICS
  const clock = options.clock ?? systemClock
  checkSettings(settings)
  await checkChains(settings)
  const settler = settings.methods.includes('evm') && settings.evm ? new EvmSettler(settings.evm) : undefined
  const { schema, connections } = options
  const db = openLedgerDb({ url: options.databaseUrl, ...(connections && { max: connections }), ...(schema && { schema }) })
  const steps = options.onStep && { onStep: options.onStep }
  const settlement = new Settlement({ db, settings, settler, clock, ...steps })
  try {
    await settlement.start()
  } catch (error) {
    await db.end({ timeout: 1 })
    throw error
  }
  const now = options.now ?? Date.now
  const rails = { mpp: await MppRail.open({ settings, settler, now }), x402: settler && new X402Rail(settings, settler, now) }
  const limits = new ClientLimits(settings.limits)
  const sale = new Sale({ settings, lookup, db, settlement, metrics, clock, log, ...steps })
  const surface = new PaidSurface({ settings, rails, sale, limits, metrics, now, log })
  const { trustedProxies, reconcileMs } = options
  const app = buildPaidApp({ surface, settings, log, ...(trustedProxies && { trustedProxies }) })

  const stopping = new AbortController()
  const reconciling = runReconciler(
    { db, settings, settlement, metrics, clock, log, ...(reconcileMs && { intervalMs: reconcileMs }) },
    stopping.signal,
  )
  const close = async () => {
    await app.close()
    stopping.abort()
    await reconciling
    await db.end({ timeout: 5 })
  }
  return { app, settlement, close }
}
