import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Policy } from './http/limits.ts'

/** Metrics of the paid surface. Labels are bounded: no addresses, hashes or keys. */
export type PayMetrics = {
  challenge: (tier: string) => void
  /** `paid`, `replayed`, `in_flight`, `pending`, `refused_after_lookup`, or why the credential was not taken */
  credential: (outcome: string) => void
  /** `tier` as the ledger has it */
  settled: (tier: string, amount: bigint, gasWei: bigint | undefined, seconds: number) => void
  /** gas paid for a transaction that moved nothing */
  lost: (reason: string, gasWei: bigint) => void
  /** payments that the chain took back, sent again */
  sentAgain: (count: number) => void
  /** a payment that the chain took back for good, after its answer was out */
  takenBack: (tier: string, amount: bigint) => void
  limited: (policy: Policy) => void
  /** payments whose money moved and which we did not answer, those whose outcome is open, and those whose answer nobody fetched */
  open: (counts: { undelivered: number; pending: number; credit: number }) => void
  settlerBalance: (wei: bigint) => void
  /** payments in which ledger and chain differ */
  ledgerFaults: (count: number) => void
}

export const NO_METRICS: PayMetrics = {
  challenge: () => {},
  credential: () => {},
  settled: () => {},
  lost: () => {},
  sentAgain: () => {},
  takenBack: () => {},
  limited: () => {},
  open: () => {},
  settlerBalance: () => {},
  ledgerFaults: () => {},
}

const ETHER = 1e18

export function createPayMetrics(registry: Registry): PayMetrics {
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers })
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const challenges = counter('idx_pay_challenges_total', 'Offers made to unpaid requests', ['tier'])
  const credentials = counter('idx_pay_credentials_total', 'Payments presented, by what became of them', ['outcome'])
  const settlements = counter('idx_pay_settlements_total', 'Payments whose money moved', ['tier'])
  const revenue = counter('idx_pay_revenue_usd_total', 'Money received', ['tier'])
  const gas = counter('idx_pay_gas_native_total', 'Gas paid for settlements, in whole native coins', [])
  const losses = counter('idx_pay_failed_settlements_total', 'Transactions that were mined and moved nothing', ['reason'])
  const lostGas = counter('idx_pay_failed_gas_native_total', 'Gas paid for those, in whole native coins', ['reason'])
  const sentAgain = counter(
    'idx_pay_sent_again_total',
    'Transactions sent again after the payment chain took their block back',
    [],
  )
  const takenBack = counter('idx_pay_taken_back_usd_total', 'Money that the payment chain took back after the answer was out', [
    'tier',
  ])
  const limited = counter('idx_pay_limited_total', 'Requests over a limit', ['policy'])
  const undelivered = gauge('idx_pay_undelivered', 'Payments settled and not delivered, while the client was there')
  const credit = gauge('idx_pay_credit', 'Payments settled whose client left; the same credential or a refund claims them')
  const pending = gauge('idx_pay_pending', 'Payments sent and not confirmed')
  const balance = gauge('idx_pay_settler_balance_native', 'What the settler has left for gas, in whole native coins')
  const faults = gauge('idx_pay_ledger_faults', 'Payments of two days in which ledger and chain differ, looked for once a day')
  // Not known yet, which is not the same as none left.
  balance.set(Number.NaN)
  const duration = new Histogram({
    name: 'idx_pay_settle_duration_seconds',
    help: 'From signing a transfer to its confirmation',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16],
    registers,
  })
  return {
    challenge: (tier) => challenges.inc({ tier }),
    credential: (outcome) => credentials.inc({ outcome }),
    settled(tier, amount, gasWei, seconds) {
      settlements.inc({ tier })
      revenue.inc({ tier }, Number(amount) / 1e6)
      if (gasWei !== undefined) gas.inc(Number(gasWei) / ETHER)
      duration.observe(seconds)
    },
    lost(reason, gasWei) {
      losses.inc({ reason })
      lostGas.inc({ reason }, Number(gasWei) / ETHER)
    },
    sentAgain: (count) => sentAgain.inc(count),
    takenBack: (tier, amount) => takenBack.inc({ tier }, Number(amount) / 1e6),
    limited: (policy) => limited.inc({ policy }),
    open(counts) {
      undelivered.set(counts.undelivered)
      pending.set(counts.pending)
      credit.set(counts.credit)
    },
    settlerBalance: (wei) => balance.set(Number(wei) / ETHER),
    ledgerFaults: (count) => faults.set(count),
  }
}
