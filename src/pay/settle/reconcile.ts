import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import type { LedgerDb } from '../../store/pay/db.ts'
import {
  dropLease,
  expireIntoCredit,
  forgetAnswers,
  markFailed,
  markSettled,
  type PaymentRow,
  releaseClaim,
  takeStale,
} from '../../store/pay/ledger.ts'
import { countOpen } from '../../store/pay/report.ts'
import { ChainAway } from '../evm/rpc.ts'
import type { EvmSettler } from '../evm/settler.ts'
import type { TokenChain } from '../evm/token-chain.ts'
import type { PayMetrics } from '../metrics.ts'
import { checkLedger } from '../reports/ledger-check.ts'
import { lastDays } from '../reports/period.ts'
import type { PaySettings } from '../settings.ts'
import type { Settlement } from './settlement.ts'
import { watchSettled } from './watch.ts'

export type ReconcileDeps = {
  db: LedgerDb
  settings: PaySettings
  settlement: Settlement
  metrics: PayMetrics
  clock: Clock
  log: Logger
  /** where authorizations are settled */
  chain?: TokenChain | undefined
  settler?: EvmSettler | undefined
  intervalMs?: number
  watchMs?: number
  /** false: the chain starts from nothing every time, and says nothing about what the ledger kept */
  isChainKept?: boolean
}

/** A claim without a transaction that nobody has touched for that long belongs to a process that is gone. */
const CLAIM_IDLE_MS = 60_000
const BATCH = 50
const INTERVAL_MS = 5000
/** How soon payments are sent again that the chain took back; those after them wait for it. */
const WATCH_MS = 2000
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
  const repeat = async (everyMs: number, work: () => Promise<void>, complaint: string) => {
    while (!signal.aborted) {
      await work().catch((error) => signal.aborted || log.error({ err: error }, complaint))
      await clock.sleep(everyMs, signal).catch(() => {}) // aborted: the loop ends
    }
  }
  const compare = async () => {
    await clock.sleep(FIRST_CHECK_MS, signal).catch(() => {}) // aborted: nothing is compared
    await repeat(
      CHECK_MS,
      () => compareWithChain(deps, signal),
      'comparing the ledger with the chain failed: trying again tomorrow',
    )
  }
  // Beside each other: a day's transfers take long to look at, and nobody's payment waits for that.
  await Promise.all([
    repeat(deps.intervalMs ?? INTERVAL_MS, () => reconcileOnce(deps, signal), 'reconciling payments failed: trying again'),
    repeat(BALANCE_MS, () => lookAtGas(deps), 'reading the balance of the settler failed: trying again'),
    deps.chain &&
      repeat(
        deps.watchMs ?? WATCH_MS,
        () => watchSettled({ ...deps, chain: deps.chain! }),
        'watching settled payments failed: trying again',
      ),
    deps.isChainKept === false ? undefined : compare(),
  ])
}

async function lookAtGas({ settlement, metrics }: ReconcileDeps): Promise<void> {
  const wei = await settlement.gasLeft()
  if (wei !== undefined) metrics.settlerBalance(wei)
}

/** The daily check of the ledger against the transfers on the chain. */
async function compareWithChain({ db, settings, metrics, log }: ReconcileDeps, signal: AbortSignal): Promise<void> {
  let faults = 0
  for (const chain of [settings.evm, settings.tempo]) {
    if (!chain) continue
    const { missing, unrecorded } = await checkLedger(
      db,
      { ...chain, recipient: settings.recipient },
      lastDays(CHECKED_DAYS),
      signal,
    )
    faults += missing.length + unrecorded.length
    if (missing.length + unrecorded.length > 0)
      log.error({ missing, unrecorded }, 'ledger and chain differ: see `astrolabe pay report`')
  }
  metrics.ledgerFaults(faults)
}

type Reconciled = { settled: number; failed: number; released: number; open: number }

async function reconcileOnce(deps: ReconcileDeps, signal: AbortSignal): Promise<void> {
  const { db, settings, metrics, log } = deps
  const holder = randomUUID()
  const done: Reconciled = { settled: 0, failed: 0, released: 0, open: 0 }
  const rows = await takeStale(db, holder, settings.leaseMs, CLAIM_IDLE_MS, BATCH)
  for (const row of rows) {
    // Told to stop: what is left is free for others.
    if (signal.aborted) {
      await dropLease(db, row.key, holder)
      continue
    }
    const outcome = await reconcileRow(deps, row, holder).catch((error) => {
      // The chain is away: the next round asks again.
      if (!(error instanceof ChainAway))
        log.error({ err: error, key: row.key }, 'reconciling a payment failed: it stays open, trying again')
      return 'open' as const
    })
    done[outcome]++
    if (outcome !== 'released') await dropLease(db, row.key, holder)
  }
  if (rows.length > 0) log.info({ ...done }, 'payments reconciled')
  await forgetAnswers(db)
  await expireIntoCredit(db, settings.challengeTtlS)
  metrics.open(await countOpen(db))
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
    if (await markSettled(db, row.key, holder, { txHash: foreign.hash, block: foreign.block, gasWei: undefined }))
      metrics.settled(row.tier, BigInt(row.amount), undefined, row.age_s)
    return 'settled'
  }
  // One look, no wait: there may be many.
  const outcome = await settlement.resume(row, holder, 0)
  if (outcome.kind === 'settled') {
    if (await markSettled(db, row.key, holder, { txHash: outcome.hash, gasWei: outcome.gasWei, block: outcome.block }))
      metrics.settled(row.tier, BigInt(row.amount), outcome.gasWei, row.waiting_s)
    return 'settled'
  }
  if (outcome.kind === 'refused') {
    await markFailed(db, row.key, holder, { failure: outcome.reason, gasWei: outcome.gasWei })
    return 'failed'
  }
  return outcome.kind === 'failed' ? 'released' : 'open'
}
