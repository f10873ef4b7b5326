import type { Clock } from '../../lib/clock.ts'
import type { SqlPool } from '../../store/db.ts'
import { findAhead } from '../../store/pay/payers.ts'
import { refuse } from '../problem.ts'
import type { VerifiedPayment } from '../rails/payment.ts'
import type { PaySettings } from '../settings.ts'
import type { Settlement } from './settlement.ts'

export type CoverDeps = { db: SqlPool; settings: PaySettings; settlement: Settlement; clock: Clock }

/** How long a payment waits for those of the same payer before it. */
const COVER_MS = 5000

/**
 * A payer's balance is spent once: what it has in flight comes first. Those in front are waited for, so that a payer who owns just
 * enough for all of its payments gets all of them. False: still not known whether it is enough. `verifiedAt` is when the payment chain
 * was asked about this payment.
 */
export async function isCovered(deps: CoverDeps, payment: VerifiedPayment, verifiedAt: number): Promise<boolean> {
  const { db, settings, settlement, clock } = deps
  const end = clock.now() + COVER_MS
  for (let isFirst = true; ; isFirst = false) {
    const { ahead, hasMoved } = await findAhead(db, payment, (clock.now() - verifiedAt) / 1000)
    // Nothing beside it: the simulation has just seen the balance.
    if (isFirst && ahead === 0n && !hasMoved) return true
    if (await settlement.canCover(payment, ahead + payment.amount)) return true
    if (ahead === 0n) throw refuse('insufficient_balance')
    if (clock.now() > end) return false
    await clock.sleep(settings.pollMs)
  }
}
