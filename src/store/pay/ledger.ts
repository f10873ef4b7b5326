import type { SqlPool } from '../db.ts'
import type { Sql } from '../sql/statement.ts'
import { carryOut, type PlanOrder } from './plan-orders.ts'
import { OPEN, OWED, type PaymentState, step } from './states.ts'

/**
 * The payment ledger. Every change of a row names the holder that makes it and the state it starts from, so that of two replicas
 * that work on the same authorization only one continues. Times are the database's: replicas need no common clock.
 */

export type NewPayment = {
  key: string
  credentialHash: Buffer
  fingerprint: Buffer
  idemKey: string | undefined
  rail: 'mpp' | 'x402'
  method: string
  operation: string
  tier: string
  amount: bigint
  payer: string
  recipient: string
  challengeId: string | undefined
  chainId: number
  /** unix seconds */
  validBefore: number
  /** carried out together with the money; answers have none */
  goods?: PlanOrder | undefined
}

/** `height`: the head it was read at */
export type StoredAnswer = { status: number; type: string; body: Buffer; height: number | undefined }

export type PaymentRow = {
  key: string
  credential_hash: Buffer
  fingerprint: Buffer
  idem_key: string | null
  rail: 'mpp' | 'x402'
  method: string
  operation: string
  tier: string
  amount: number
  payer: string
  recipient: string
  challenge_id: string | null
  chain_id: number
  state: PaymentState
  /** seconds until others may take over; 0 or less: now */
  lease_left: number
  /** end of the authorization, unix seconds */
  valid_before_s: number
  /** seconds since it was claimed */
  age_s: number
  /** seconds since its transaction was signed */
  waiting_s: number
  settler: string | null
  settler_nonce: number | null
  raw_tx: Buffer | null
  /** what a facilitator was asked to settle, where one settles */
  facilitator_request: string | null
  tx_hash: string | null
  failure: string | null
  settled_at: string | null
  response_status: number | null
  response_type: string | null
  response_body: Buffer | null
  response_height: number | null
}

const columns = (sql: Sql) => sql`
  key, credential_hash, fingerprint, idem_key, rail, method, operation, tier, amount, payer, recipient, challenge_id, chain_id,
  state, extract(epoch from lease_until - now())::float8 as lease_left, extract(epoch from valid_before)::float8 as valid_before_s,
  extract(epoch from now() - created_at)::float8 as age_s, coalesce(extract(epoch from now() - broadcast_at), 0)::float8 as waiting_s,
  settler, settler_nonce, raw_tx, facilitator_request, tx_hash, failure, settled_at, response_status, response_type, response_body,
  response_height`

/** The row of this credential, or else of the authorization inside it. */
export async function findPayment(sql: SqlPool, { key, credentialHash }: { key: string; credentialHash: Buffer }) {
  const rows = await sql<PaymentRow[]>`
    select ${columns(sql)}
    from payment
    where credential_hash = ${credentialHash} or key = ${key}
    order by credential_hash = ${credentialHash} desc
    limit 1`
  return rows[0]
}

export async function findByIdemKey(sql: SqlPool, payer: string, idemKey: string): Promise<PaymentRow | undefined> {
  const rows = await sql<PaymentRow[]>`
    select ${columns(sql)}
    from payment
    where payer = ${payer} and idem_key = ${idemKey}`
  return rows[0]
}

/**
 * False when the authorization, the credential or the payer's idempotency key is in the ledger already. Payments of one payer are
 * claimed one after the other, so that each sees those before it.
 */
export async function claimPayment(sql: SqlPool, payment: NewPayment, holder: string, leaseMs: number): Promise<boolean> {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${payment.payer}, 0))`
    const rows = await tx`
      insert into payment (
        key, credential_hash, fingerprint, idem_key, rail, method, operation, tier, amount, payer, recipient, challenge_id, chain_id,
        state, holder, lease_until, valid_before, created_at, goods)
      values (
        ${payment.key}, ${payment.credentialHash}, ${payment.fingerprint}, ${payment.idemKey ?? null}, ${payment.rail},
        ${payment.method}, ${payment.operation}, ${payment.tier}, ${Number(payment.amount)}, ${payment.payer}, ${payment.recipient},
        ${payment.challengeId ?? null}, ${payment.chainId}, 'claimed', ${holder},
        now() + ${leaseMs} * interval '1 millisecond', to_timestamp(${payment.validBefore}), clock_timestamp(),
        ${payment.goods ? JSON.stringify(payment.goods) : null}::text::jsonb)
      on conflict do nothing
      returning key`
    return rows.length === 1
  })
}

/** The row when it was free to take; undefined when somebody works on it, or it is over. */
export async function takeOverPayment(
  sql: SqlPool,
  key: string,
  holder: string,
  leaseMs: number,
): Promise<PaymentRow | undefined> {
  const rows = await sql<PaymentRow[]>`
    update payment
    set holder = ${holder}, lease_until = now() + ${leaseMs} * interval '1 millisecond'
    where key = ${key} and lease_until <= now() and ${OPEN}
    returning ${columns(sql)}`
  return rows[0]
}

/** Lets others go on at once: an answer that could not be given, or not be handed over. */
export async function dropLease(sql: SqlPool, key: string, holder: string): Promise<void> {
  await sql`
    update payment
    set lease_until = now()
    where key = ${key} and holder = ${holder} and ${OPEN}`
}

/** The client went away before it had its answer. Its credential stays good for it. */
export async function markLeft(sql: SqlPool, key: string, holder: string): Promise<void> {
  await sql`
    update payment
    set lease_until = now(), left_at = now()
    where key = ${key} and holder = ${holder} and ${OWED}`
}

/** Nothing was sent: the authorization is as it was before. */
export async function releaseClaim(sql: SqlPool, key: string, holder: string): Promise<void> {
  await sql`
    delete from payment
    where key = ${key} and holder = ${holder} and state = 'claimed'`
}

export type SignedTx = { hash: string; raw: Buffer }

/** Keeps a transaction that was signed elsewhere (by the payer) before it is sent. False when the claim was lost. */
export async function recordSigned(sql: SqlPool, key: string, holder: string, { hash, raw }: SignedTx): Promise<boolean> {
  const rows = await sql`
    update payment
    set ${step('keep').set}, tx_hash = ${hash}, raw_tx = ${raw}, broadcast_at = now()
    where key = ${key} and holder = ${holder} and ${step('keep').where}
    returning key`
  return rows.length === 1
}

/** Keeps the same transaction with other fees, before it is sent. False when the payment was taken over. */
export async function recordReplacement(sql: SqlPool, key: string, holder: string, { hash, raw }: SignedTx): Promise<boolean> {
  const rows = await sql`
    update payment
    set tx_hash = ${hash}, raw_tx = ${raw}, broadcast_at = now()
    where key = ${key} and holder = ${holder} and state = 'broadcast'
    returning key`
  return rows.length === 1
}

/** The transaction was mined in vain and not by the payer's fault: its number is used up, the authorization is not. */
export async function dropBroadcast(sql: SqlPool, key: string, holder: string): Promise<void> {
  await sql`
    delete from payment
    where key = ${key} and holder = ${holder} and state = 'broadcast'`
}

/**
 * Money has moved: what was ordered for it is carried out with it. Returns the moment it was noted, which is the receipt's time;
 * undefined when somebody else has taken the payment over, who then also hands out the answer. With `answer` the bytes are kept for who
 * repeats the request.
 */
export async function markSettled(
  sql: SqlPool,
  key: string,
  holder: string,
  settled: {
    txHash: string
    gasWei: bigint | undefined
    block?: bigint | undefined
    answer?: StoredAnswer | undefined
    answerTtlS?: number
  },
): Promise<string | undefined> {
  const { answer } = settled
  return sql.begin(async (tx) => {
    const [row] = await tx<{ settled_at: string; amount: number; goods: PlanOrder | null }[]>`
      update payment
      set ${step('settle').set}, tx_hash = ${settled.txHash}, gas_wei = ${settled.gasWei?.toString() ?? null}, settled_at = now(),
          settled_block = ${settled.block === undefined ? null : Number(settled.block)}, failure = null,
          response_status = ${answer?.status ?? null}, response_type = ${answer?.type ?? null},
          response_body = ${answer?.body ?? null}, response_height = ${answer?.height ?? null},
          response_until = ${answer ? tx`now() + ${settled.answerTtlS ?? 300} * interval '1 second'` : null}
      where key = ${key} and holder = ${holder} and ${step('settle').where}
      returning settled_at, amount, goods`
    if (row?.goods) await carryOut(tx, { key, amount: row.amount }, row.goods)
    return row?.settled_at
  })
}

/** Keeps an answer that was made only after the money had moved (a retry). */
export async function keepAnswer(sql: SqlPool, key: string, answer: StoredAnswer, ttlS: number): Promise<void> {
  await sql`
    update payment
    set response_status = ${answer.status}, response_type = ${answer.type}, response_body = ${answer.body},
        response_height = ${answer.height ?? null}, response_until = now() + ${ttlS} * interval '1 second'
    where key = ${key}`
}

export async function markDelivered(sql: SqlPool, key: string): Promise<void> {
  await sql`
    update payment
    set ${step('deliver').set}, delivered_at = now()
    where key = ${key} and ${step('deliver').where}`
}

/** The transaction was mined and moved nothing, or can never be mined. The payer's idempotency key is free for another try. */
export async function markFailed(
  sql: SqlPool,
  key: string,
  holder: string,
  { failure, gasWei }: { failure: string; gasWei: bigint | undefined },
): Promise<boolean> {
  const rows = await sql`
    update payment
    set ${step('fail').set}, failure = ${failure}, gas_wei = ${gasWei?.toString() ?? null}, idem_key = null
    where key = ${key} and holder = ${holder} and ${step('fail').where}
    returning key`
  return rows.length === 1
}

/**
 * Payments that nobody works on, for the background job: transactions at once, bare claims only after `idleMs`. Settled rows wait for their
 * payer, not for us.
 */
export function takeStale(sql: SqlPool, holder: string, leaseMs: number, idleMs: number, limit: number): Promise<PaymentRow[]> {
  return sql<PaymentRow[]>`
    update payment
    set holder = ${holder}, lease_until = now() + ${leaseMs} * interval '1 millisecond'
    where key in (
      select key from payment
      where lease_until <= now()
        and (state = 'broadcast' or (state = 'claimed' and lease_until <= now() - ${idleMs} * interval '1 millisecond'))
      order by lease_until
      limit ${limit}
      for update skip locked)
    returning ${columns(sql)}`
}

/** Answers that nobody has fetched while their challenge lived: what was paid is a credit from now on. */
export async function expireIntoCredit(sql: SqlPool, ttlS: number): Promise<number> {
  const rows = await sql`
    update payment
    set ${step('expire').set}
    where ${step('expire').where} and lease_until <= now() and settled_at < now() - ${ttlS} * interval '1 second'
    returning key`
  return rows.length
}

/** Past its time a stored answer goes, and with it the key, which its payer may use again; a key that is owed an answer stays. */
export async function forgetAnswers(sql: SqlPool): Promise<number> {
  const rows = await sql`
    update payment
    set response_status = null, response_type = null, response_body = null, response_height = null, response_until = null,
        idem_key = case when state = 'delivered' then null else idem_key end
    where response_until < now()
    returning key`
  return rows.length
}
