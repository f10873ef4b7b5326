import type { SqlPool } from '../db.ts'
import { takeBackPlan } from './plan-orders.ts'
import { step } from './states.ts'

/** Settled payments that the chain may still take back. Rows from before this was recorded have no block and are left alone. */

export type WatchedRow = {
  key: string
  payer: string
  recipient: string
  amount: number
  method: string
  tier: string
  raw_tx: Buffer | null
  tx_hash: string
  settler: string | null
  settler_nonce: number | null
  valid_before_s: number
  age_s: number
}

const columns = (sql: SqlPool) => sql`
  key, payer, recipient, amount, method, tier, raw_tx, tx_hash, settler, settler_nonce,
  extract(epoch from valid_before)::float8 as valid_before_s, extract(epoch from now() - created_at)::float8 as age_s`

export async function hasWatched(sql: SqlPool, chainId: number): Promise<boolean> {
  const rows = await sql`
    select from payment
    where chain_id = ${chainId} and settled_block is not null and final_at is null
    limit 1`
  return rows.length > 0
}

/** Those whose nonce the chain does not count any more, lowest nonce first: it took their block back. */
export function listTakenBack(sql: SqlPool, chainId: number, settler: string, mined: number): Promise<WatchedRow[]> {
  return sql<WatchedRow[]>`
    select ${columns(sql)}
    from payment
    where chain_id = ${chainId} and settled_block is not null and final_at is null
      and settler = ${settler} and settler_nonce >= ${mined} and raw_tx is not null
    order by settler_nonce
    limit 500`
}

/** Those whose block is at most `block`. */
export function listDeep(sql: SqlPool, chainId: number, block: number): Promise<WatchedRow[]> {
  return sql<WatchedRow[]>`
    select ${columns(sql)}
    from payment
    where chain_id = ${chainId} and settled_block <= ${block} and final_at is null
    order by settled_block
    limit 200`
}

/** Mined again, in another block or by another transaction. */
export async function moveSettled(
  sql: SqlPool,
  key: string,
  { txHash, block }: { txHash: string; block: number },
): Promise<void> {
  await sql`
    update payment
    set tx_hash = ${txHash}, settled_block = ${block}
    where key = ${key} and final_at is null`
}

/** Also ends the life of the signed transaction: nobody will have to send it again. */
export async function markFinal(sql: SqlPool, keys: readonly string[]): Promise<void> {
  await sql`
    update payment
    set final_at = now(), raw_tx = null
    where key = any(${keys}::text[]) and final_at is null`
}

/** The answer is out and the money is not here any more; a key that it bought is taken back. False when that was noted before. */
export function markTakenBack(sql: SqlPool, key: string): Promise<boolean> {
  return sql.begin(async (tx) => {
    const rows = await tx`
      update payment
      set ${step('takeBack').set}, failure = 'taken_back', settled_at = null, final_at = now()
      where key = ${key} and final_at is null and ${step('takeBack').where}
      returning key`
    if (rows.length > 0) await takeBackPlan(tx, key)
    return rows.length === 1
  })
}
