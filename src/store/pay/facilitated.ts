import type { SqlPool } from '../db.ts'
import { step } from './states.ts'

/** Payments that a facilitator is asked to settle. */

/** Keeps what it is asked before it is asked. False when the claim was lost. */
export async function recordHandedOver(sql: SqlPool, key: string, holder: string, request: string): Promise<boolean> {
  const rows = await sql`
    update payment
    set ${step('keep').set}, facilitator_request = ${request}, broadcast_at = now()
    where key = ${key} and holder = ${holder} and ${step('keep').where}
    returning key`
  return rows.length === 1
}

/** The transaction it has named. */
export async function noteTransaction(sql: SqlPool, key: string, holder: string, hash: string): Promise<void> {
  await sql`
    update payment
    set tx_hash = ${hash}
    where key = ${key} and holder = ${holder} and state = 'broadcast'`
}
