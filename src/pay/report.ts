import type { LedgerDb } from '../store/pay/db.ts'
import { countOpen, listRevenue, listSales, listSettled } from '../store/pay/report.ts'
import { findReceipt } from './evm/confirm.ts'
import { askNode, openClient } from './evm/rpc.ts'
import { hasTransfer } from './evm/token.ts'
import type { Hex } from './settings.ts'

export type LedgerCheck = {
  payments: number
  amount: bigint
  confirmed: number /** transactions that do not hold the transfer */
  missing: string[]
}

/** Asks the chain for every transfer the ledger counts as received: the two must agree to the unit. */
export async function checkLedger(db: LedgerDb, chain: { rpcUrl: string; token: Hex }, days: number): Promise<LedgerCheck> {
  const client = openClient({ url: chain.rpcUrl })
  const chainId = await askNode(() => client.getChainId())
  const rows = await listSettled(db, chainId, days)
  const check: LedgerCheck = { payments: rows.length, amount: 0n, confirmed: 0, missing: [] }
  for (const row of rows) {
    check.amount += BigInt(row.amount)
    const receipt = await findReceipt(client, row.tx_hash as Hex)
    const expected = { token: chain.token, from: row.payer as Hex, to: row.recipient as Hex, value: BigInt(row.amount) }
    if (receipt?.status === 'success' && hasTransfer(receipt.logs, expected)) check.confirmed++
    else check.missing.push(row.tx_hash)
  }
  return check
}

/** The report as text: revenue by day and tier, sales by operation, what is open, and the check against the chain. */
export async function writeReport(db: LedgerDb, days: number, check: LedgerCheck | undefined): Promise<string> {
  const [revenue, sales, open] = await Promise.all([listRevenue(db, days), listSales(db, days), countOpen(db)])
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
    `open: ${open.undelivered} paid and not delivered, ${open.pending} sent and not confirmed, ${open.claimed} claimed`,
  ]
  if (check) {
    const verdict = check.missing.length === 0 ? 'the chain agrees' : `NOT on the chain: ${check.missing.join(', ')}`
    lines.push(
      `ledger ${toUsd(check.amount)} USD in ${check.payments} transfers, ${check.confirmed} found on the chain: ${verdict}`,
    )
  }
  return `${lines.join('\n')}\n`
}

const toUsd = (atomic: bigint): string => `${atomic / 1_000_000n}.${(atomic % 1_000_000n).toString().padStart(6, '0')}`

const toNative = (wei: bigint): string => {
  const micro = wei / 10n ** 12n
  return `${micro / 1_000_000n}.${(micro % 1_000_000n).toString().padStart(6, '0')}`
}
