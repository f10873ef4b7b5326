import { readInPieces, type SqlPool } from '../db.ts'
import { CHARGED, OPEN, OWED } from './states.ts'

/** Days in UTC: from the first moment of `from` to the last of `to`, as YYYY-MM-DD. */
export type Period = { from: string; to: string }

export const GROUPS = ['day', 'tier', 'operation', 'payer', 'rail'] as const
export type Group = (typeof GROUPS)[number]

const during = (sql: SqlPool, column: string, { from, to }: Period) => sql`
  ${sql(column)} >= ${from}::date and ${sql(column)} < ${to}::date + 1`

export type SalesRow = { name: string; payments: number; amount: number; gas_wei: string }

/** Money received, by one property of the payment; days newest first, the rest by amount. */
export function listSales(sql: SqlPool, period: Period, by: Group): Promise<SalesRow[]> {
  return sql<SalesRow[]>`
    select ${by === 'day' ? sql`to_char(settled_at, 'YYYY-MM-DD')` : sql(by)} as name, count(*) as payments,
           sum(amount)::bigint as amount, coalesce(sum(gas_wei), 0)::numeric as gas_wei
    from payment
    where ${during(sql, 'settled_at', period)}
    group by 1
    order by ${by === 'day' ? sql`1 desc` : sql`amount desc, 1`}`
}

/** Money received for keys of plans, by plan, largest first. */
export function listPlanSales(sql: SqlPool, period: Period): Promise<Omit<SalesRow, 'gas_wei'>[]> {
  return sql<Omit<SalesRow, 'gas_wei'>[]>`
    select goods ->> 'plan' as name, count(*) as payments, sum(amount)::bigint as amount
    from payment
    where tier = 'plan' and ${during(sql, 'settled_at', period)}
    group by 1
    order by amount desc, 1`
}

/** Payments that the chain took back after their answer was out. */
export async function sumTakenBack(sql: SqlPool, period: Period): Promise<{ payments: number; amount: number }> {
  const [row] = await sql<{ payments: number; amount: number }[]>`
    select count(*) as payments, coalesce(sum(amount), 0)::bigint as amount
    from payment
    where failure = 'taken_back' and ${during(sql, 'final_at', period)}`
  return row!
}

export type LossRow = { reason: string; transactions: number; gas_wei: string }

/** Gas paid for transactions that moved nothing. */
export function listLosses(sql: SqlPool, period: Period): Promise<LossRow[]> {
  return sql<LossRow[]>`
    select reason, count(*) as transactions, sum(gas_wei)::numeric as gas_wei
    from payment_loss
    where ${during(sql, 'at', period)}
    group by 1
    order by 1`
}

export type OpenCounts = {
  /** paid, not answered, and not because the client left */
  undelivered: number
  pending: number
  claimed: number
  /** paid, and nobody fetched the answer */
  credit: number
}

/** Payments that are not over: answers owed, and transfers whose outcome is open. */
export async function countOpen(sql: SqlPool): Promise<OpenCounts> {
  const [row] = await sql<OpenCounts[]>`
    select count(*) filter (where state = 'settled' and left_at is null) as undelivered,
           count(*) filter (where state = 'broadcast') as pending, count(*) filter (where state = 'claimed') as claimed,
           count(*) filter (where state = 'credit' or (state = 'settled' and left_at is not null)) as credit
    from payment
    where ${OPEN}`
  return row!
}

export type SettledTransfer = { tx_hash: string; payer: string; recipient: string; amount: number; chain_id: number }

/** Transfers that arrived by the ledger, for the comparison with the chain. */
export function listSettled(sql: SqlPool, chainId: number, period: Period): Promise<SettledTransfer[]> {
  return sql<SettledTransfer[]>`
    select tx_hash, payer, recipient, amount, chain_id
    from payment
    where ${CHARGED} and chain_id = ${chainId} and tx_hash is not null
      and ${during(sql, 'settled_at', period)}
    order by settled_at, tx_hash`
}

/** Keys that have paid gas on a chain. */
export async function listSettlers(sql: SqlPool, chainId: number): Promise<string[]> {
  const rows = await sql<{ address: string }[]>`
    select address
    from payment_settler
    where chain_id = ${chainId}`
  return rows.map(({ address }) => address)
}

/** Those of the transactions that no payment counts or is about to count. */
export async function listUnrecorded(sql: SqlPool, hashes: readonly string[]): Promise<string[]> {
  const rows = await sql<{ hash: string }[]>`
    select hash
    from unnest(${hashes as string[]}::text[]) with ordinality as moved (hash, position)
    where not exists (
      select from payment
      where payment.tx_hash = moved.hash and (state = 'broadcast' or ${CHARGED}))
    order by position`
  return rows.map(({ hash }) => hash)
}

export type OwedRow = { state: string; since: string; operation: string; amount: number; payer: string; tx_hash: string }

/** Payments that were sent and whose answer nobody has, oldest first. */
export function listOwed(sql: SqlPool, limit = 50): Promise<OwedRow[]> {
  return sql<OwedRow[]>`
    select state, to_char(coalesce(settled_at, broadcast_at), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since, operation, amount, payer, tx_hash
    from payment
    where (state = 'broadcast' or ${OWED}) and lease_until <= now()
    order by created_at
    limit ${limit}`
}

export type RefundSum = { refunds: number; amount: number }

export async function sumRefunds(sql: SqlPool, period: Period): Promise<RefundSum> {
  const [row] = await sql<RefundSum[]>`
    select count(*) as refunds, coalesce(sum(amount), 0)::bigint as amount
    from payment_refund
    where ${during(sql, 'signed_at', period)}`
  return row!
}

/** The ledger itself, without answers and signed transactions, oldest first. */
export function listLedger(sql: SqlPool, period: Period) {
  const rows = sql`
    select key, rail, method, operation, tier, amount, payer, recipient, chain_id, state, failure, tx_hash, gas_wei, settler,
           to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at, to_char(settled_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as settled_at,
           to_char(delivered_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as delivered_at,
           (select tx_hash from payment_refund r where r.key = payment.key) as refund_tx_hash
    from payment
    where ${during(sql, 'created_at', period)}
    order by payment.created_at, key`
  return readInPieces<Record<string, string | number | null>>(sql, rows, 1000)
}
