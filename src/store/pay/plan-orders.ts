import { type Actor, noteChange } from '../access/change-log.ts'
import { announceKeys, lockAccount } from '../access/keys.ts'
import type { SqlPool } from '../db.ts'
import type { Sql } from '../sql/statement.ts'
import { addTerm, removeTerm, type Term } from './plan-terms.ts'

/** A plan as it was ordered: kept with the payment's claim and carried out in the transaction that notes its money. */
export type PlanOrder = {
  plan: string
  seconds: number
  /** hex digest of the key to renew */
  renews?: string | undefined
  /** key that is made when none is renewed; its text is not here */
  key: { id: string; account: string; digest: string; prefix: string; last4: string }
}

/** Result of an order that was carried out. */
export type PlanSale = { account: string; key_id: string; is_new: boolean; plan: string; valid_until: string }

type Renewable = { id: string; account: string; until: number }

/** Makes or renews the key of a payment, in the transaction that notes its money: neither is there without the other. */
export async function carryOut(tx: Sql, payment: { key: string; amount: number }, order: PlanOrder): Promise<void> {
  const renewed = order.renews === undefined ? undefined : await lockRenewable(tx, order.renews)
  const account = renewed?.account ?? order.key.account
  const now = await readClock(tx)
  const before = renewed ? await listTerms(tx, account, now) : []
  const bought = { payment: payment.key, plan: order.plan, amount: BigInt(payment.amount), seconds: order.seconds }
  const after = addTerm(before, bought, now, renewed?.until)
  const made = { keyId: renewed?.id ?? order.key.id, isNew: !renewed }
  if (!renewed) await insertSoldKey(tx, order)
  for (const term of after) await saveTerm(tx, account, term, term.payment === payment.key ? made : undefined)
  const end = endOf(after)
  await moveKeys(tx, { account, keyId: made.keyId, plan: order.plan, oldEnd: renewed?.until, end })
  const details = { plan: order.plan, expires_at: new Date(end * 1000) }
  await noteChange(tx, byPayment(payment.key), {
    action: renewed ? 'renew_key' : 'sell_key',
    account,
    keyId: made.keyId,
    details,
  })
}

const byPayment = (key: string): Actor => ({ kind: 'payment', name: key })

/** Takes back what a payment has bought: an account without any time left loses its keys. Nothing for a payment that bought none. */
export async function takeBackPlan(tx: Sql, paymentKey: string): Promise<void> {
  const [sold] = await tx<{ account: string; key_id: string }[]>`
    select account, key_id from plan_term where payment_key = ${paymentKey} and taken_at is null`
  if (!sold) return
  const { account, key_id: keyId } = sold
  await lockAccount(tx, account)
  const now = await readClock(tx)
  const before = await listTerms(tx, account, now)
  const after = removeTerm(before, paymentKey, now)
  await tx`update plan_term set taken_at = now() where payment_key = ${paymentKey}`
  for (const term of after) await saveTerm(tx, account, term)
  if (after.length === 0) await revokeKeys(tx, account)
  else await moveKeys(tx, { account, keyId, plan: after[0]!.plan, oldEnd: endOf(before), end: endOf(after) })
  await noteChange(tx, byPayment(paymentKey), { action: 'take_back_plan', account, keyId })
}

/** Sale of a payment whose money is here; undefined until then, and after it was taken back. */
export async function findPlanSale(sql: SqlPool, paymentKey: string): Promise<PlanSale | undefined> {
  const rows = await sql<PlanSale[]>`
    select t.account, t.key_id, t.is_new, t.plan,
           (select to_char(max(ends_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            from plan_term o where o.account = t.account and o.taken_at is null) as valid_until
    from plan_term t
    where t.payment_key = ${paymentKey} and t.taken_at is null`
  return rows[0]
}

export type KeyStanding = 'renewable' | 'unknown' | 'revoked' | 'arranged'

/** Whether the key with this digest (hex) can be renewed by a purchase. */
export async function findStanding(sql: SqlPool, digest: string): Promise<KeyStanding> {
  const [row] = await sql<{ role: string; is_revoked: boolean; is_sold: boolean }[]>`
    select role, revoked_at is not null as is_revoked,
           expires_at is not null and exists (select from plan_term t where t.account = k.account and t.taken_at is null) as is_sold
    from api_key k
    where digest = decode(${digest}, 'hex')`
  if (row?.role !== 'client') return 'unknown'
  if (row.is_revoked) return 'revoked'
  return row.is_sold ? 'renewable' : 'arranged'
}

const endOf = (terms: readonly Term[]): number => Math.max(...terms.map(({ to }) => to))

/** Whole seconds of the database's clock: terms are measured in them. */
async function readClock(tx: Sql): Promise<number> {
  const [row] = await tx<{ now: number }[]>`select floor(extract(epoch from now()))::float8 as now`
  return row!.now
}

/** The key to renew, with its account locked; undefined when it is not there any more: its payer then gets a new one. */
async function lockRenewable(tx: Sql, digest: string): Promise<Renewable | undefined> {
  const find = () => tx<Renewable[]>`
    select k.id, k.account,
           floor(extract(epoch from greatest(k.expires_at, (
             select max(ends_at) from plan_term t where t.account = k.account and t.taken_at is null))))::float8 as until
    from api_key k
    where k.digest = decode(${digest}, 'hex') and k.revoked_at is null and k.expires_at is not null
      and exists (select from plan_term t where t.account = k.account and t.taken_at is null)`
  const [first] = await find()
  if (!first) return undefined
  await lockAccount(tx, first.account)
  const [locked] = await find()
  return locked
}

async function listTerms(tx: Sql, account: string, now: number): Promise<Term[]> {
  const rows = await tx<{ payment_key: string; plan: string; amount: number; from: number; to: number }[]>`
    select payment_key, plan, amount, extract(epoch from starts_at)::float8 as "from", extract(epoch from ends_at)::float8 as "to"
    from plan_term
    where account = ${account} and taken_at is null and ends_at > to_timestamp(${now})
    order by starts_at`
  return rows.map(({ payment_key: payment, amount, ...rest }) => ({ payment, amount: BigInt(amount), ...rest }))
}

/** `made`: of a payment that is new here. */
async function saveTerm(tx: Sql, account: string, term: Term, made?: { keyId: string; isNew: boolean }): Promise<void> {
  const { payment, plan, amount, from, to } = term
  if (made)
    await tx`
      insert into plan_term (payment_key, account, key_id, is_new, plan, amount, starts_at, ends_at)
      values (${payment}, ${account}, ${made.keyId}, ${made.isNew}, ${plan}, ${Number(amount)}, to_timestamp(${from}), to_timestamp(${to}))`
  else
    await tx`
      update plan_term
      set plan = ${plan}, amount = ${Number(amount)}, starts_at = to_timestamp(${from}), ends_at = to_timestamp(${to})
      where payment_key = ${payment}`
}

/** Writes only the columns that the ledger's role may write (`role.ts`): such a key is one of a customer. */
async function insertSoldKey(tx: Sql, { plan, key }: PlanOrder): Promise<void> {
  await tx`
    insert into api_key (id, account, plan, label, digest, prefix, last4)
    values (${key.id}, ${key.account}, ${plan}, 'bought', decode(${key.digest}, 'hex'), ${key.prefix}, ${key.last4})`
}

type KeyMove = { account: string; keyId: string; plan: string; oldEnd: number | undefined; end: number }

/** Keys that end with the plan end with it again; one that a rotation has replaced keeps its own end. */
async function moveKeys(tx: Sql, { account, keyId, plan, oldEnd, end }: KeyMove): Promise<void> {
  const rows = await tx`
    update api_key
    set plan = ${plan}, expires_at = to_timestamp(${end}), changed_at = clock_timestamp()
    where account = ${account} and revoked_at is null and expires_at >= to_timestamp(${oldEnd ?? 0})
    returning id`
  if (rows.length === 0)
    await tx`
      update api_key
      set plan = ${plan}, expires_at = to_timestamp(${end}), changed_at = clock_timestamp()
      where id = ${keyId}`
  await announceKeys(tx)
}

async function revokeKeys(tx: Sql, account: string): Promise<void> {
  await tx`
    update api_key
    set revoked_at = now(), changed_at = clock_timestamp()
    where account = ${account} and revoked_at is null`
  await announceKeys(tx)
}
