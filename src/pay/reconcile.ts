import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../lib/clock.ts'
import type { LedgerDb } from '../store/pay/db.ts'
import {
  dropLease,
  forgetAnswers,
  markFailed,
  markSettled,
  type PaymentRow,
  releaseClaim,
  takeStale,
} from '../store/pay/ledger.ts'
import { countOpen } from '../store/pay/report.ts'
import { ChainAway } from './evm/rpc.ts'
import { checkLedger } from './ledger-check.ts'
import type { PayMetrics } from './metrics.ts'
import type { PaySettings } from './settings.ts'
import type { Settlement } from './settlement.ts'

export type ReconcileDeps = {
  db: LedgerDb
  settings: PaySettings
  settlement: Settlement
  metrics: PayMetrics
  clock: Clock
  log: Logger
  intervalMs?: number
}

/** A claim without a transaction that nobody has touched for that long belongs to a process that is gone. */
const CLAIM_IDLE_MS = 60_000
const BATCH = 50
const INTERVAL_MS = 5000
/** Gas runs out slowly; a look costs a call. */
const BALANCE_MS = 60_000
const CHECK_MS = 86_400_000
/** A process that starts has other things to do, and one that is started over and over must not ask the chain for everything each time. */
const FIRST_CHECK_MS = 600_000
/** Today and yesterday: what was settled shortly before midnight is checked as well. */
const CHECKED_DAYS = 2

/**
 * Brings payments to an end that no request brings to an end: a process died, or a transaction took longer than anyone waited.
 * Any number of replicas may run it; rows are taken one by one.
 */
export async function runReconciler(deps: ReconcileDeps, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps
  let nextBalance = 0
  let nextCheck = clock.now() + FIRST_CHECK_MS
  while (!signal.aborted) {
    await reconcileOnce(deps).catch((error) => log.error({ err: error }, 'payments not reconciled'))
    if (clock.now() >= nextBalance) {
      nextBalance = clock.now() + BALANCE_MS
      const wei = await deps.settlement.gasLeft().catch(() => undefined) // the chain is away: the next look is soon
      if (wei !== undefined) deps.metrics.settlerBalance(wei)
    }
    if (clock.now() >= nextCheck) {
      nextCheck = clock.now() + CHECK_MS
      await compareWithChain(deps).catch((error) => log.error({ err: error }, 'ledger not compared with the chain'))
    }
    await deps.clock.sleep(deps.intervalMs ?? INTERVAL_MS, signal).catch(() => {}) // aborted: the loop ends
  }
}

/** The daily check of the ledger against the transfers on the chain. */
async function compareWithChain({ db, settings, metrics, log }: ReconcileDeps): Promise<void> {
  let faults = 0
  for (const chain of [settings.evm, settings.tempo]) {
    if (!chain) continue
    const { missing, unrecorded } = await checkLedger(db, { ...chain, recipient: settings.recipient }, CHECKED_DAYS)
    faults += missing.length + unrecorded.length
    if (missing.length + unrecorded.length > 0) log.error({ missing, unrecorded }, 'ledger and chain differ')
  }
  metrics.ledgerFaults(faults)
}

export type Reconciled = { settled: number; failed: number; released: number; open: number }

export async function reconcileOnce(deps: ReconcileDeps, claimIdleMs = CLAIM_IDLE_MS): Promise<Reconciled> {
  const { db, settings, metrics, log } = deps
  const holder = randomUUID()
  const done: Reconciled = { settled: 0, failed: 0, released: 0, open: 0 }
  const rows = await takeStale(db, holder, settings.leaseMs, claimIdleMs, BATCH)
  for (const row of rows) {
    const outcome = await reconcileRow(deps, row, holder).catch((error) => {
      // The chain is away: the next round asks again.
      if (!(error instanceof ChainAway)) log.error({ err: error, key: row.key }, 'payment not reconciled')
      return 'open' as const
    })
    done[outcome]++
    if (outcome !== 'released') await dropLease(db, row.key, holder)
  }
  if (rows.length > 0) log.info({ ...done }, 'payments reconciled')
  await forgetAnswers(db)
  const { undelivered, pending } = await countOpen(db)
  metrics.open(undelivered, pending)
  return done
}

async function reconcileRow(
  { db, settlement, metrics }: ReconcileDeps,
  row: PaymentRow,
  holder: string,
): Promise<keyof Reconciled> {
  if (row.state === 'claimed') {
    const foreign = await settlement.findForeignUse(row)
    if (!foreign) {
      await releaseClaim(db, row.key, holder)
      return 'released'
    }
    if (await markSettled(db, row.key, holder, { txHash: foreign, gasWei: undefined }))
      metrics.settled(row.tier, BigInt(row.amount), undefined, row.age_s)
    return 'settled'
  }
  // One look, no wait: there may be many.
  const outcome = await settlement.resume(row, holder, 0)
  if (outcome.kind === 'settled') {
    if (await markSettled(db, row.key, holder, { txHash: outcome.hash, gasWei: outcome.gasWei }))
      metrics.settled(row.tier, BigInt(row.amount), outcome.gasWei, row.waiting_s)
    return 'settled'
  }
  if (outcome.kind === 'refused') {
    await markFailed(db, row.key, outcome.reason, outcome.gasWei)
    return 'failed'
  }
  return outcome.kind === 'failed' ? 'released' : 'open'
}
