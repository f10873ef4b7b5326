import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type ClientAddress, createClientAddress } from '../access/client.ts'
import { listPlans } from '../access/plan-list.ts'
import type { PlanConfig } from '../config/access-schema.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { CATALOG } from '../operations/catalog.ts'
import type { Lookup } from '../operations/lookup.ts'
import type { Operation } from '../operations/operation.ts'
import type { KeySecrets } from '../store/access/keys.ts'
import { checkPepper } from '../store/access/pepper.ts'
import { openPool } from '../store/db.ts'
import { SHARED_SCHEMA } from '../store/migrations/migrate.ts'
import { countOpen } from '../store/pay/report.ts'
import { EvmSettler } from './evm/settler.ts'
import { ClientLimits } from './http/limits.ts'
import { buildPaidApp, type PaidAppOptions } from './http/server.ts'
import { PaidSurface } from './http/surface.ts'
import { NO_METRICS, type PayMetrics } from './metrics.ts'
import { planItems } from './plans/plan-item.ts'
import { PlanSales } from './plans/plan-sales.ts'
import { Facilitator } from './rails/facilitator.ts'
import { MppRail } from './rails/mpp.ts'
import type { OnStep } from './rails/payment.ts'
import { X402Rail } from './rails/x402.ts'
import { Sale } from './sale/sale.ts'
import { createStock } from './sale/stock.ts'
import { checkSettings, type PaySettings } from './settings.ts'
import { ChainGate } from './settle/chain-gate.ts'
import { runReconciler } from './settle/reconcile.ts'
import { Settlement } from './settle/settlement.ts'

export type OpenPaidOptions = {
  settings: PaySettings
  lookup: Lookup
  /** what is sold beside plans; by default the catalogue */
  operations?: readonly Operation[]
  /** Throws where an operation cannot be answered at all: then it is not offered either. */
  check?: (operation: Operation) => void
  /** plans to list, and to sell where they say so: that needs the secrets that keys are made with */
  plans?: { configs: readonly PlanConfig[]; secrets: KeySecrets | undefined }
  /** a database whose shared schema is migrated */
  databaseUrl: string
  log: Logger
  metrics?: PayMetrics
  clock?: Clock
  /** wall clock in milliseconds */
  now?: () => number
  clientAddress?: ClientAddress
  addRoutes?: PaidAppOptions['addRoutes']
  connections?: number
  reconcileMs?: number
  watchMs?: number
  /** false: the payment chain starts from nothing every time */
  isChainKept?: boolean
  onStep?: OnStep
}

/** A process has ten seconds to end: a transfer that is not mined by then is asked about again, here or at another replica. */
const FINISH_MS = 4000
const JOB_MS = 2000

export type Paid = {
  app: FastifyInstance
  /** payments that are not over; rejects while the ledger is away */
  countOpen: () => ReturnType<typeof countOpen>
  /** whether the chain is there and the settler can pay for a transfer on it; rejects when nobody can say */
  checkSettler: () => Promise<{ ok: boolean; reason?: string }>
  close: () => Promise<void>
}

/** Settlers that move the money of authorizations: our own, or a facilitator. */
function openSettlers({ methods, evm, recipient, challengeTtlS: ttlS }: PaySettings): {
  settler?: EvmSettler
  facilitator?: Facilitator
} {
  if (!evm || !methods.includes('evm')) return {}
  if (!evm.facilitator) return { settler: new EvmSettler(evm) }
  return { facilitator: new Facilitator(evm, evm.facilitator, { recipient, ttlS }) }
}

/** The paid surface, ready to listen: chain and settings are checked, open payments are being brought to an end. */
export async function openPaid(options: OpenPaidOptions): Promise<Paid> {
  const { settings, lookup, log } = options
  const metrics = options.metrics ?? NO_METRICS
  const clock = options.clock ?? systemClock
  checkSettings(settings)
  const { settler, facilitator } = openSettlers(settings)
  const { connections } = options
  const db = openPool('pay', { schema: SHARED_SCHEMA, url: options.databaseUrl, ...(connections && { max: connections }) })
  const steps = options.onStep && { onStep: options.onStep }
  const hurrying = new AbortController()
  const settlement = new Settlement({ db, settings, settler, facilitator, metrics, clock, hurry: hurrying.signal, ...steps })
  const gate = new ChainGate({ settings, settlement, clock, log })
  const { configs, secrets } = options.plans ?? { configs: [], secrets: undefined }
  const items = planItems(configs)
  try {
    if (secrets && items.length > 0) await checkPepper(db, secrets.pepper)
    await gate.tryOpen()
  } catch (error) {
    await db.end({ timeout: 1 })
    throw error
  }
  const now = options.now ?? Date.now
  const verifier = settler ?? facilitator
  const rails = { mpp: await MppRail.open({ settings, verifier, now }), x402: verifier && new X402Rail(settings, verifier, now) }
  const limits = new ClientLimits(settings.limits)
  const sale = new Sale({ settings, db, gate, settlement, metrics, clock, log, ...steps })
  const { baseUrl } = settings
  const stock = createStock(lookup, secrets && new PlanSales({ db, secrets, baseUrl }))
  const { check = () => {}, operations = CATALOG } = options
  const surface = new PaidSurface({ settings, rails, sale, stock, check, limits, metrics, now, log })
  const { reconcileMs, clientAddress = createClientAddress([]) } = options
  const plans = { items, list: `${JSON.stringify(listPlans(configs, baseUrl))}\n` }
  const app = buildPaidApp({ surface, settings, log, clientAddress, operations, plans, addRoutes: options.addRoutes })

  const stopping = new AbortController()
  const opening = gate.open(stopping.signal)
  const { isChainKept = true } = options
  const reconciling = runReconciler(
    {
      db,
      settings,
      settlement,
      chain: verifier,
      settler,
      metrics,
      clock,
      log,
      isChainKept,
      ...(reconcileMs && { intervalMs: reconcileMs }),
      ...(options.watchMs && { watchMs: options.watchMs }),
    },
    stopping.signal,
  )
  const close = async () => {
    stopping.abort()
    const closed = new AbortController()
    const pass = (ms: number) => clock.sleep(ms, closed.signal).catch(() => {}) // over before that
    void pass(FINISH_MS).then(() => hurrying.abort())
    await app.close()
    // A node that does not answer holds up the job, not the end.
    await Promise.race([Promise.all([reconciling, opening]), pass(JOB_MS)])
    closed.abort()
    await db.end({ timeout: 1 })
  }
  const checkSettler = async () => {
    if (!gate.isOpen) return { ok: false, reason: 'the payment chain was not reached yet' }
    await settler?.gas.checkFunds(BigInt(settler.settings.maxGas))
    return { ok: true }
  }
  return { app, countOpen: () => countOpen(db), checkSettler, close }
}
