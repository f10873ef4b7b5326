import type { LedgerDb } from './db.ts'

export type RevenueRow = { day: string; tier: string; payments: number; amount: number; gas_wei: string }

/** Money received per day and tier, newest day first. */
export function listRevenue(sql: LedgerDb, days: number): Promise<RevenueRow[]> {
  return sql<RevenueRow[]>`
    select to_char(settled_at, 'YYYY-MM-DD') as day, tier, count(*) as payments, sum(amount)::bigint as amount,
           coalesce(sum(gas_wei), 0)::numeric as gas_wei
    from payment
    where settled_at >= date_trunc('day', now()) - ${days - 1} * interval '1 day'
    group by 1, 2
    order by 1 desc, 2`
}

/** Payments that the chain took back after their answer was out. */
export async function sumTakenBack(sql: LedgerDb, days: number): Promise<{ payments: number; amount: number }> {
  const [row] = await sql<{ payments: number; amount: number }[]>`
    select count(*) as payments, coalesce(sum(amount), 0)::bigint as amount
    from payment
    where failure = 'taken_back' and final_at >= date_trunc('day', now()) - ${days - 1} * interval '1 day'`
  return row!
}

export type LossRow = { reason: string; transactions: number; gas_wei: string }

/** Gas paid for transactions that moved nothing. */
export function listLosses(sql: LedgerDb, days: number): Promise<LossRow[]> {
  return sql<LossRow[]>`
    select reason, count(*) as transactions, sum(gas_wei)::numeric as gas_wei
    from payment_loss
    where at >= date_trunc('day', now()) - ${days - 1} * interval '1 day'
    group by 1
    order by 1`
}

export type OperationRow = { operation: string; tier: string; payments: number; amount: number }

export function listSales(sql: LedgerDb, days: number): Promise<OperationRow[]> {
  return sql<OperationRow[]>`
    select operation, tier, count(*) as payments, sum(amount)::bigint as amount
    from payment
    where settled_at >= date_trunc('day', now()) - ${days - 1} * interval '1 day'
    group by 1, 2
    order by amount desc, operation`
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
export async function countOpen(sql: LedgerDb): Promise<OpenCounts> {
  const [row] = await sql<OpenCounts[]>`
    select count(*) filter (where state = 'settled' and left_at is null) as undelivered,
           count(*) filter (where state = 'broadcast') as pending, count(*) filter (where state = 'claimed') as claimed,
           count(*) filter (where state = 'credit' or (state = 'settled' and left_at is not null)) as credit
    from payment
    where state in ('claimed', 'broadcast', 'settled', 'credit')`
  return row!
}

export type SettledTransfer = { tx_hash: string; payer: string; recipient: string; amount: number; chain_id: number }

/** What the ledger says has arrived, for the comparison with the chain. */
export function listSettled(sql: LedgerDb, chainId: number, days: number): Promise<SettledTransfer[]> {
  return sql<SettledTransfer[]>`
    select tx_hash, payer, recipient, amount, chain_id
    from payment
    where state in ('settled', 'credit', 'delivered', 'refunded') and chain_id = ${chainId} and tx_hash is not null
      and settled_at >= date_trunc('day', now()) - ${days - 1} * interval '1 day'
    order by settled_at, tx_hash`
}

/** Keys that have paid gas on a chain. */
export async function listSettlers(sql: LedgerDb, chainId: number): Promise<string[]> {
  const rows = await sql<{ address: string }[]>`
    select address
    from payment_settler
    where chain_id = ${chainId}`
  return rows.map(({ address }) => address)
}

/** Those of the transactions that no payment counts or is about to count. */
export async function listUnrecorded(sql: LedgerDb, hashes: readonly string[]): Promise<string[]> {
  const rows = await sql<{ hash: string }[]>`
    select hash
    from unnest(${hashes as string[]}::text[]) with ordinality as moved (hash, position)
    where not exists (
      select from payment
      where payment.tx_hash = moved.hash and state in ('broadcast', 'settled', 'credit', 'delivered', 'refunded'))
    order by position`
  return rows.map(({ hash }) => hash)
}

export type OwedRow = { state: string; since: string; operation: string; amount: number; payer: string; tx_hash: string }

/** Payments that were sent and whose answer nobody has, oldest first. */
export function listOwed(sql: LedgerDb, limit = 50): Promise<OwedRow[]> {
  return sql<OwedRow[]>`
    select state, to_char(coalesce(settled_at, broadcast_at), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since, operation, amount, payer, tx_hash
    from payment
    where state in ('broadcast', 'settled', 'credit') and lease_until <= now()
    order by created_at
    limit ${limit}`
}
