import { Type } from 'typebox'
import { compileQuery } from '../api/http/bind.ts'
import { queryOf } from '../api/http/read-request.ts'
import { formatUsd } from '../lib/encoding/usd.ts'
import type { SqlPool } from '../store/db.ts'
import { GROUPS, type Group, listPlanSales, listSales, sumRefunds } from '../store/pay/report.ts'
import type { AddRoute } from './route.ts'

const readQuery = compileQuery(
  Type.Object({
    days: Type.Integer({ minimum: 1, maximum: 3660, default: 30, description: 'days up to today' }),
    by: Type.Enum([...GROUPS], { default: 'operation', description: 'property of payments to sum up by' }),
  }),
)

const DAY_MS = 86_400_000
const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

type Sales = { name: string; payments: number; amount: number }

const toRow = ({ name, payments, amount }: Sales) => ({ name, payments, usd: formatUsd(BigInt(amount)) })

/** Money received, and what of any payment was sent back meanwhile, from the ledger of payments; the sums of `astrolabe pay report`. */
export async function readRevenue(sql: SqlPool, days: number, by: Group) {
  const period = { from: toDay(Date.now() - (days - 1) * DAY_MS), to: toDay(Date.now()) }
  const [sales, plans, sentBack] = await Promise.all([
    listSales(sql, period, by),
    listPlanSales(sql, period),
    sumRefunds(sql, period),
  ])
  return {
    ...period,
    by,
    usd: formatUsd(sales.reduce((sum, { amount }) => sum + BigInt(amount), 0n)),
    refunded: { payments: sentBack.refunds, usd: formatUsd(BigInt(sentBack.amount)) },
    rows: sales.map(toRow),
    plans: plans.map(toRow),
  }
}

export function addRevenueRoute(route: AddRoute, sql: SqlPool): void {
  route('GET', '/revenue', true, async ({ request }) => {
    const { days, by } = readQuery(queryOf(request)).values as { days: number; by: Group }
    return readRevenue(sql, days, by)
  })
}
