import type { SqlPool } from '../db.ts'
import type { SignedTx } from './ledger.ts'
import { takeBackPlan } from './plan-orders.ts'
import { step } from './states.ts'

export type Refundable = { key: string; payer: string; amount: number; chain_id: number; method: string; state: string }

/** Payments whose answer nobody fetched. */
export function listCredits(sql: SqlPool): Promise<Refundable[]> {
  return sql<Refundable[]>`
    select key, payer, amount, chain_id, method, state
    from payment
    where state = 'credit' and lease_until <= now()
    order by created_at`
}

/** By its key, or by the transaction that paid it. */
export async function findRefundable(sql: SqlPool, name: string): Promise<Refundable | undefined> {
  const rows = await sql<Refundable[]>`
    select key, payer, amount, chain_id, method, state
    from payment
    where key = ${name.toLowerCase()} or (tx_hash = ${name.toLowerCase()} and settled_at is not null)
    order by key = ${name.toLowerCase()} desc
    limit 1`
  return rows[0]
}

export type Refund = { key: string; wallet: string; amount: number; tx_hash: string; raw_tx: Buffer; is_settled: boolean }

export async function findRefund(sql: SqlPool, key: string): Promise<Refund | undefined> {
  const rows = await sql<Refund[]>`
    select key, wallet, amount, tx_hash, raw_tx, settled_at is not null as is_settled
    from payment_refund
    where key = ${key}`
  return rows[0]
}

/** Ends the payment, with the key that it bought, and keeps the transaction that gives it back, in one. False when somebody works on the payment, or it is no more. */
export async function recordRefund(sql: SqlPool, payment: Refundable, wallet: string, signed: SignedTx): Promise<boolean> {
  return sql.begin(async (tx) => {
    const rows = await tx`
      update payment
      set ${step('refund').set}, response_status = null, response_type = null, response_body = null, response_until = null
      where key = ${payment.key} and ${step('refund').where} and lease_until <= now()
      returning key`
    if (rows.length === 0) return false
    await takeBackPlan(tx, payment.key)
    await tx`
      insert into payment_refund (key, chain_id, wallet, amount, tx_hash, raw_tx)
      values (${payment.key}, ${payment.chain_id}, ${wallet}, ${payment.amount}, ${signed.hash}, ${signed.raw})`
    return true
  })
}

export async function settleRefund(sql: SqlPool, key: string): Promise<void> {
  await sql`
    update payment_refund
    set settled_at = now()
    where key = ${key} and settled_at is null`
}
