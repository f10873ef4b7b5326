import type { SqlPool } from '../db.ts'
import type { NewPayment } from './ledger.ts'
import { IN_FLIGHT } from './states.ts'

/** What the ledger knows of a payer beside a single payment: what it has in flight, and what its transfers have cost in vain. */

/**
 * What this payer claimed before this payment and whose money has not moved yet, and whether money of it has moved within the last
 * `seconds`.
 */
export async function findAhead(
  sql: SqlPool,
  { key, payer, chainId }: NewPayment,
  seconds: number,
): Promise<{ ahead: bigint; hasMoved: boolean }> {
  const [row] = await sql<{ ahead: string; has_moved: boolean }[]>`
    select (
        select coalesce(sum(amount), 0)::numeric
        from payment
        where payer = ${payer} and chain_id = ${chainId} and ${IN_FLIGHT}
          and (created_at, key) < (select created_at, key from payment where key = ${key})
      ) as ahead,
      exists (
        select from payment
        where payer = ${payer} and chain_id = ${chainId} and settled_at > now() - ${seconds} * interval '1 second'
      ) as has_moved`
  return { ahead: BigInt(row!.ahead), hasMoved: row!.has_moved }
}

export type Loss = {
  txHash: string
  chainId: number
  settler: string | undefined
  payer: string
  reason: 'reverted' | 'out_of_gas'
  gasWei: bigint
}

/** Gas paid for nothing. False when it was noted before. */
export async function recordLoss(sql: SqlPool, loss: Loss): Promise<boolean> {
  const rows = await sql`
    insert into payment_loss (tx_hash, chain_id, settler, payer, reason, gas_wei)
    values (${loss.txHash}, ${loss.chainId}, ${loss.settler ?? null}, ${loss.payer}, ${loss.reason}, ${loss.gasWei.toString()})
    on conflict do nothing
    returning tx_hash`
  return rows.length === 1
}

const FIRST_HOLD_S = 60
const LONGEST_HOLD_S = 21_600

/** Seconds for which no payment of this payer is sent: a minute after its first revert of a day, doubled by each further one. */
export async function secondsHeld(sql: SqlPool, payer: string): Promise<number> {
  const [row] = await sql<{ held: number | null }[]>`
    select extract(epoch from max(at) - now())::float8
           + least(${LONGEST_HOLD_S}::float8, ${FIRST_HOLD_S} * power(2, least(count(*), 20) - 1))::float8 as held
    from payment_loss
    where payer = ${payer} and reason = 'reverted' and at > now() - interval '1 day'`
  return Math.max(0, Math.ceil(row?.held ?? 0))
}

/** Whether this payer has bought something before. */
export async function hasPaid(sql: SqlPool, payer: string): Promise<boolean> {
  const rows = await sql`select from payment where payer = ${payer} and settled_at is not null limit 1`
  return rows.length > 0
}
