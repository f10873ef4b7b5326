import type { PaidConfig } from '../../../config/paid-schema.ts'
import type { Config } from '../../../config/schema.ts'
import { csvLine } from '../../../lib/encoding/csv.ts'
import { OperatorError } from '../../../lib/errors.ts'

import { chainsFrom } from '../../../pay/from-config.ts'
import { type CheckedChain, checkLedger, type LedgerCheck } from '../../../pay/reports/ledger-check.ts'
import { readPeriod } from '../../../pay/reports/period.ts'
import { readReport, toJson, toTable, toText } from '../../../pay/reports/report.ts'
import type { Hex } from '../../../pay/settings.ts'
import { type Refunded, refund } from '../../../pay/settle/refund.ts'
import { readKeyFile } from '../../../pay/settler-key.ts'
import { openPool, type SqlPool } from '../../../store/db.ts'
import { migrate, SHARED_SCHEMA } from '../../../store/migrations/migrate.ts'
import { findRefundable, listCredits } from '../../../store/pay/refunds.ts'
import { GROUPS, type Group, listLedger } from '../../../store/pay/report.ts'
import { openDatabase } from '../../wiring/database.ts'

/** Ledger commands of the operator: reports, exports and refunds. */

export type PeriodOptions = { days: number; from?: string; to?: string }
export type ReportOptions = PeriodOptions & { by?: string[]; json?: boolean; csv?: boolean; check: boolean }

async function withLedger<T>(config: Config, work: (db: SqlPool) => Promise<T>): Promise<T> {
  const database = await openDatabase(config)
  const db = openPool('pay', { schema: SHARED_SCHEMA, url: database.url, max: 4 })
  try {
    await migrate(database.url, SHARED_SCHEMA, 'shared')
    return await work(db)
  } finally {
    await db.end({ timeout: 2 })
    await database.stop()
  }
}

export function reportPaid(config: Config, options: ReportOptions): Promise<void> {
  const period = readPeriod(options)
  const by = readGroups(options.by)
  return withLedger(config, async (db) => {
    const checks: LedgerCheck[] = []
    if (options.check) for (const chain of chainsOf(config.paid)) checks.push(await checkLedger(db, chain, period))
    const report = await readReport(db, { ...period, by }, checks)
    process.stdout.write((options.json ? toJson : options.csv ? toTable : toText)(report))
    const faults = checks.reduce((sum, { missing, unrecorded }) => sum + missing.length + unrecorded.length, 0)
    if (faults > 0) throw new OperatorError('ledger_mismatch', `ledger and chain differ in ${faults} payment(s)`)
  })
}

function readGroups(by: string[] | undefined): readonly Group[] {
  const named = by ?? ['day', 'operation']
  for (const name of named)
    if (!GROUPS.includes(name as Group)) throw new OperatorError('bad_option', `--by takes ${GROUPS.join(', ')}, not ${name}`)
  return named as Group[]
}

export function exportLedger(config: Config, options: PeriodOptions & { csv?: boolean }): Promise<void> {
  const period = readPeriod(options)
  return withLedger(config, async (db) => {
    let isFirst = true
    for await (const rows of listLedger(db, period))
      for (const row of rows) {
        if (options.csv && isFirst) process.stdout.write(csvLine(Object.keys(row)))
        isFirst = false
        process.stdout.write(options.csv ? csvLine(Object.values(row)) : `${JSON.stringify(row)}\n`)
      }
  })
}

export type RefundOptions = { credits?: boolean; keyFile: string }

export function refundPaid(config: Config, name: string | undefined, { credits, keyFile }: RefundOptions): Promise<void> {
  const { evm } = chainsFrom(config.paid)
  if (!evm) throw new OperatorError('no_payment_chain', 'refunds are sent on the chain of paid.evm, and none is configured')
  if ((name === undefined) === !credits)
    throw new OperatorError('bad_option', 'name one payment (its key or transaction), or all credits with --credits')
  const walletKey = readKeyFile(keyFile, process.env.PAID_REFUND_KEY_PASSWORD)
  return withLedger(config, async (db) => {
    const one = name === undefined ? undefined : await findRefundable(db, name)
    if (name !== undefined && !one) throw new OperatorError('unknown_payment', `the ledger knows no payment ${name}`)
    const payments = one ? [one] : await listCredits(db)
    for (const payment of payments) process.stdout.write(describe(await refund({ db, evm, walletKey }, payment)))
    process.stdout.write(`${payments.length} payment(s)\n`)
  })
}

const describe = ({ key, payer, amount, hash, isSettled }: Refunded): string =>
  `${(amount / 1e6).toFixed(6)} USD to ${payer} by ${hash} for ${key}${isSettled ? '' : ': sent, not mined yet; run it again to see'}\n`

function chainsOf({ evm, tempo, recipient }: PaidConfig): CheckedChain[] {
  const common = { recipient: recipient as Hex | undefined }
  return [
    ...(evm ? [{ ...common, rpcUrl: evm.rpc_url, moreRpcUrls: evm.more_rpc_urls, token: evm.token as Hex }] : []),
    ...(tempo ? [{ ...common, rpcUrl: tempo.rpc_url, token: tempo.token as Hex }] : []),
  ]
}
