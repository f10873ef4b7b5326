import type { Reader } from '../../db.ts'
import { SUPPLY_ID } from '../../families/balance-log.ts'
import { firstId } from '../../pack/id.ts'
import type { ChangedPart } from '../../state/history-tables.ts'
import type { BalanceRow } from '../address/account.ts'
import { type TypeFilter, withTypesOf } from './types-of.ts'

export type PastBalance = { part: ChangedPart; denom: string; amount: string }

/**
 * Balances of an account at the end of a height, as far as they ever changed: after the last change up to it, else before the first
 * one behind it. What never changed is as it is now.
 */
export function listPastBalances(
  sql: Reader,
  addressId: number,
  height: number,
  filter: TypeFilter = {},
): Promise<PastBalance[]> {
  const end = firstId(height + 1)
  return sql<PastBalance[]>`
    ${withTypesOf(sql, addressId, filter)}
    select part, denom, coalesce(
             (array_agg(last.balance order by last.id desc) filter (where last.id is not null))[1],
             (array_agg(next.balance - next.amount order by next.id) filter (where next.id is not null))[1]
           )::text as amount
    from type t
    left join lateral (
      select id, balance from balance_change where address_id = ${addressId} and type_id = t.id and id < ${end} order by id desc limit 1
    ) last on true
    left join lateral (
      select id, balance, amount from balance_change where address_id = ${addressId} and type_id = t.id and id >= ${end} order by id limit 1
    ) next on true
    group by part, denom
    order by denom collate "C"`
}

/** All of an account at the end of a height, by denomination; only utia is listed when there was none of it. */
export async function listBalancesAt(sql: Reader, addressId: number, height: number): Promise<BalanceRow[]> {
  const now = await sql<BalanceRow[]>`
    select 'utia' as currency, spendable, delegated, unbonding from address where id = ${addressId}
    union all
    (select denom, amount, 0, 0 from balance where address_id = ${addressId} order by denom collate "C")`
  const past = await listPastBalances(sql, addressId, height)
  const rows = new Map(now.map((row) => [row.currency, { ...row }]))
  for (const { part, denom, amount } of past) {
    const row = rows.get(denom)
    if (row && part !== 'supply') row[part] = amount
  }
  return [...rows.values()].filter((row) => row.currency === 'utia' || row.spendable !== '0')
}

/** The supply of every denomination, now or at the end of a height. */
export async function listSupply(sql: Reader, height?: number): Promise<{ currency: string; amount: string }[]> {
  const now = await sql<{ currency: string; amount: string }[]>`
    select denom as currency, amount from supply order by denom collate "C"`
  if (height === undefined) return now
  const past = new Map((await listPastBalances(sql, SUPPLY_ID, height)).map(({ denom, amount }) => [denom, amount]))
  return now
    .map(({ currency, amount }) => ({ currency, amount: past.get(currency) ?? amount }))
    .filter(({ currency, amount }) => currency === 'utia' || amount !== '0')
}

/** The height at the end of which a second began; undefined before the first block. */
export async function findHeightAt(sql: Reader, time: string): Promise<number | undefined> {
  const [row] = await sql<{ height: number }[]>`select height from block where time <= ${time} order by time desc limit 1`
  return row?.height
}

/** The first height whose end the history knows: that of the first block, or where an older index began to keep it. */
export async function findHistoryStart(sql: Reader): Promise<number> {
  const [row] = await sql<{ height: number }[]>`
    select case when s.first_height = b.height then b.height else s.first_height - 1 end as height
    from history_span s, (select height from block order by height limit 1) b`
  return row?.height ?? 0
}

/** When the history of an account begins: with the account, or with what is kept. */
export async function findFirstTime(sql: Reader, addressId?: number): Promise<string | undefined> {
  const start = await findHistoryStart(sql)
  const appeared = addressId === undefined ? sql`0` : sql`(select first_height from address where id = ${addressId})`
  const [row] = await sql<{ time: string }[]>`
    select time from block where height >= greatest(${appeared}, ${start}) order by height limit 1`
  return row?.time
}
