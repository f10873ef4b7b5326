import { csvTable } from '../../lib/encoding/csv.ts'
import { formatUsd } from '../../lib/encoding/usd.ts'
import type { SqlPool } from '../../store/db.ts'
import {
  countOpen,
  type Group,
  listLosses,
  listOwed,
  listSales,
  type Period,
  sumRefunds,
  sumTakenBack,
} from '../../store/pay/report.ts'

import type { LedgerCheck } from './ledger-check.ts'

export type ReportQuery = Period & { by: readonly Group[] }

/** Report of a period: sales by one or more properties of a payment, their cost, and what is open now. */
export async function readReport(db: SqlPool, { by, ...period }: ReportQuery, checks: readonly LedgerCheck[]) {
  const [groups, losses, takenBack, refunds, open, owed] = await Promise.all([
    Promise.all(by.map(async (group) => ({ by: group, rows: (await listSales(db, period, group)).map(toSale) }))),
    listLosses(db, period),
    sumTakenBack(db, period),
    sumRefunds(db, period),
    countOpen(db),
    listOwed(db),
  ])
  const sold = groups[0]?.rows ?? []
  const total = (of: (row: Sale) => bigint) => sold.reduce((sum, row) => sum + of(row), 0n)
  return {
    ...period,
    payments: sold.reduce((sum, { payments }) => sum + payments, 0),
    usd: formatUsd(total(({ amount }) => amount)),
    gas: toNative(total(({ gasWei }) => gasWei)),
    groups,
    losses: losses.map(({ reason, transactions, gas_wei }) => ({ reason, transactions, gas: toNative(BigInt(gas_wei)) })),
    takenBack: { payments: takenBack.payments, usd: formatUsd(BigInt(takenBack.amount)) },
    refunds: { refunds: refunds.refunds, usd: formatUsd(BigInt(refunds.amount)) },
    open,
    owed: owed.map(({ amount, ...row }) => ({ ...row, usd: formatUsd(BigInt(amount)) })),
    checks: checks.map(({ amount, ...check }) => ({ ...check, usd: formatUsd(amount) })),
  }
}

export type Report = Awaited<ReturnType<typeof readReport>>

type Sale = { name: string; payments: number; amount: bigint; gasWei: bigint }

const toSale = ({ name, payments, amount, gas_wei }: Awaited<ReturnType<typeof listSales>>[number]): Sale => ({
  name,
  payments,
  amount: BigInt(amount),
  gasWei: BigInt(gas_wei),
})

const shown = ({ name, payments, amount, gasWei }: Sale) => ({ name, payments, usd: formatUsd(amount), gas: toNative(gasWei) })

export function toText(report: Report): string {
  const lines = [
    `${report.from} to ${report.to}: ${report.payments} payments, ${report.usd} USD, gas ${report.gas} native coins`,
    ...report.groups.flatMap(({ by, rows }) => [
      '',
      `${by.padEnd(42)}  payments         USD  gas (native)`,
      ...rows
        .map(shown)
        .map(
          ({ name, payments, usd, gas }) => `${name.padEnd(42)}  ${String(payments).padStart(8)}  ${usd.padStart(10)}  ${gas}`,
        ),
    ]),
    '',
    ...report.losses.map(
      ({ reason, transactions, gas }) =>
        `gas lost: ${transactions} transaction(s) mined in vain (${reason}), ${gas} native coins`,
    ),
    ...(report.takenBack.payments > 0
      ? [`taken back by the payment chain: ${report.takenBack.payments} payment(s), ${report.takenBack.usd} USD`]
      : []),
    ...(report.refunds.refunds > 0 ? [`refunded: ${report.refunds.refunds} payment(s), ${report.refunds.usd} USD`] : []),
    `open: ${report.open.undelivered} paid and not delivered, ${report.open.pending} sent and not confirmed, ${report.open.claimed} claimed, ${report.open.credit} credits (answers that nobody fetched)`,
    ...report.owed.map(
      ({ state, since, operation, usd, payer, tx_hash }) =>
        `  ${state} since ${since}  ${operation}  ${usd} USD of ${payer}  ${tx_hash}`,
    ),
    ...report.checks.map(
      (check) => `ledger ${check.usd} USD in ${check.payments} transfers, ${check.confirmed} found on the chain: ${judge(check)}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

export function toJson(report: Report): string {
  const groups = report.groups.map(({ by, rows }) => ({ by, rows: rows.map(shown) }))
  return `${JSON.stringify({ ...report, groups }, null, 2)}\n`
}

/** The sales alone: a table has one kind of row. */
export function toTable(report: Report): string {
  return report.groups
    .map(({ by, rows }) => csvTable(rows.map(shown).map(({ name, ...row }) => ({ [by]: name, ...row }))))
    .join('\n')
}

function judge({ missing, unrecorded }: Pick<LedgerCheck, 'missing' | 'unrecorded'>): string {
  const faults = [
    ...(missing.length > 0 ? [`NOT on the chain: ${missing.join(', ')}`] : []),
    ...(unrecorded.length > 0 ? [`NOT in the ledger: ${unrecorded.join(', ')}`] : []),
  ]
  return faults.length === 0 ? 'the chain agrees' : faults.join('; ')
}

const toNative = (wei: bigint): string => {
  const micro = wei / 10n ** 12n
  return `${micro / 1_000_000n}.${(micro % 1_000_000n).toString().padStart(6, '0')}`
}
