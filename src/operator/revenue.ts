import { Type } from 'typebox'
import { compileQuery } from '../api/http/bind.ts'
import { queryOf } from '../api/http/read-request.ts'
import { formatUsd } from '../lib/usd.ts'
import type { SqlPool } from '../store/db.ts'
import { GROUPS, type Group, listSales } from '../store/pay/report.ts'
import type { AddRoute } from './route.ts'

const readQuery = compileQuery(
  Type.Object({
    days: Type.Integer({ minimum: 1, maximum: 3660, default: 30, description: 'days up to today' }),
    by: Type.Enum([...GROUPS], { default: 'operation', description: 'property of payments to sum up by' }),
  }),
)

const DAY_MS = 86_400_000
const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Money received, from the ledger of payments; the sums of `astrolabe pay report`. */
export function addRevenueRoute(route: AddRoute, sql: SqlPool): void {
  route('GET', '/revenue', true, async ({ request }) => {
    const { days, by } = readQuery(queryOf(request)).values as { days: number; by: Group }
    const period = { from: toDay(Date.now() - (days - 1) * DAY_MS), to: toDay(Date.now()) }
    const rows = (await listSales(sql, period, by)).map(({ name, payments, amount }) => ({
      name,
      payments,
      amount: BigInt(amount),
    }))
    return {
      ...period,
      by,
      usd: formatUsd(rows.reduce((sum, { amount }) => sum + amount, 0n)),
      rows: rows.map(({ name, payments, amount }) => ({ name, payments, usd: formatUsd(amount) })),
    }
  })
}
