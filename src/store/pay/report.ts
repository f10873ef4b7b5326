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

export type OperationRow = { operation: string; tier: string; payments: number; amount: number }

export function listSales(sql: LedgerDb, days: number): Promise<OperationRow[]> {
  return sql<OperationRow[]>`
    select operation, tier, count(*) as payments, sum(amount)::bigint as amount
    from payment
    where settled_at >= date_trunc('day', now()) - ${days - 1} * interval '1 day'
    group by 1, 2
    order by amount desc, operation`
}

/** Payments that are not over: answers owed, and transfers whose outcome is open. */
export async function countOpen(sql: LedgerDb): Promise<{ undelivered: number; pending: number; claimed: number }> {
  const [row] = await sql<{ undelivered: number; pending: number; claimed: number }[]>`
    select count(*) filter (where state = 'settled') as undelivered, count(*) filter (where state = 'broadcast') as pending,
           count(*) filter (where state = 'claimed') as claimed
    from payment
    where state in ('claimed', 'broadcast', 'settled')`
  return row!
}

export type SettledTransfer = { tx_hash: string; payer: string; recipient: string; amount: number; chain_id: number }

/** What the ledger says has arrived, for the comparison with the chain. */
export function listSettled(sql: LedgerDb, chainId: number, days: number): Promise<SettledTransfer[]> {
  return sql<SettledTransfer[]>`
    select tx_hash, payer, recipient, amount, chain_id
    from payment
    where state in ('settled', 'delivered') and chain_id = ${chainId} and tx_hash is not null
      and settled_at >= date_trunc('day', now()) - ${days - 1} * interval '1 day'
    order by settled_at, tx_hash`
}
