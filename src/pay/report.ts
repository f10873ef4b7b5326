import type { LedgerDb } from '../store/pay/db.ts'
import { countOpen, listLosses, listOwed, listRevenue, listSales, sumTakenBack } from '../store/pay/report.ts'
import type { LedgerCheck } from './ledger-check.ts'

/** The report as text: revenue by day and tier, sales by operation, what is open, and the check against the chain. */
export async function writeReport(db: LedgerDb, days: number, checks: readonly LedgerCheck[]): Promise<string> {
  const [revenue, sales, losses, takenBack, open, owed] = await Promise.all([
    listRevenue(db, days),
    listSales(db, days),
    listLosses(db, days),
    sumTakenBack(db, days),
    countOpen(db),
    listOwed(db),
  ])
  const total = revenue.reduce((sum, row) => sum + BigInt(row.amount), 0n)
  const gas = revenue.reduce((sum, row) => sum + BigInt(row.gas_wei), 0n)
  const lines = [
    `Last ${days} day(s): ${revenue.reduce((sum, row) => sum + row.payments, 0)} payments, ${toUsd(total)} USD, gas ${toNative(gas)} native coins`,
    '',
    'day         tier  payments         USD  gas (native)',
    ...revenue.map(
      (row) =>
        `${row.day}  ${row.tier.padEnd(4)}  ${String(row.payments).padStart(8)}  ${toUsd(BigInt(row.amount)).padStart(10)}  ${toNative(BigInt(row.gas_wei))}`,
    ),
    '',
    'operation                 tier  payments         USD',
    ...sales.map(
      (row) =>
        `${row.operation.padEnd(24)}  ${row.tier.padEnd(4)}  ${String(row.payments).padStart(8)}  ${toUsd(BigInt(row.amount)).padStart(10)}`,
    ),
    '',
    ...losses.map(
      (row) =>
        `gas lost: ${row.transactions} transaction(s) mined in vain (${row.reason}), ${toNative(BigInt(row.gas_wei))} native coins`,
    ),
    ...(takenBack.payments > 0
      ? [`taken back by the payment chain: ${takenBack.payments} payment(s), ${toUsd(BigInt(takenBack.amount))} USD`]
      : []),
    `open: ${open.undelivered} paid and not delivered, ${open.pending} sent and not confirmed, ${open.claimed} claimed, ${open.credit} credits (answers that nobody fetched)`,
    ...owed.map(
      (row) =>
        `  ${row.state} since ${row.since}  ${row.operation}  ${toUsd(BigInt(row.amount))} USD of ${row.payer}  ${row.tx_hash}`,
    ),
    ...checks.map(
      (check) =>
        `ledger ${toUsd(check.amount)} USD in ${check.payments} transfers, ${check.confirmed} found on the chain: ${judge(check)}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

function judge({ missing, unrecorded }: LedgerCheck): string {
  const faults = [
    ...(missing.length > 0 ? [`NOT on the chain: ${missing.join(', ')}`] : []),
    ...(unrecorded.length > 0 ? [`NOT in the ledger: ${unrecorded.join(', ')}`] : []),
  ]
  return faults.length === 0 ? 'the chain agrees' : faults.join('; ')
}

const toUsd = (atomic: bigint): string => `${atomic / 1_000_000n}.${(atomic % 1_000_000n).toString().padStart(6, '0')}`

const toNative = (wei: bigint): string => {
  const micro = wei / 10n ** 12n
  return `${micro / 1_000_000n}.${(micro % 1_000_000n).toString().padStart(6, '0')}`
}
