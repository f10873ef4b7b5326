import type { StateRecord, StateValue } from '../../client/proof/state-record.ts'
import type { Reader } from '../db.ts'

/** A record of the chain's state as the index has it. */
export type IndexedRecord = { record: StateRecord; value: StateValue }

/** Rows that are read at a time. */
const PAGE = 1000
const IDLE_LIMIT = '10min'

/**
 * Everything that the chain keeps in its state too, in pages: supplies, validators, balances, delegations. Within a snapshot, which may
 * wait for nodes between two pages.
 */
export async function* listRecords(sql: Reader): AsyncGenerator<IndexedRecord[]> {
  await sql`select set_config('idle_in_transaction_session_timeout', ${IDLE_LIMIT}, true)`
  yield await listSupplies(sql)
  yield await listValidators(sql)
  for (let after = -1; ; ) {
    const rows = await sql<{ id: number; address: string; amount: string }[]>`
      select id, encode(address, 'hex') as address, spendable as amount from address where id > ${after} order by id limit ${PAGE}`
    yield rows.map((row) => toBalance({ ...row, denom: 'utia' }))
    if (rows.length < PAGE) break
    after = rows.at(-1)!.id
  }
  yield (await otherBalances(sql)).map(toBalance)
  for (let after = { validator_id: -1, address_id: -1 }; ; ) {
    const rows = await sql<(DelegationRow & typeof after)[]>`
      select d.validator_id, d.address_id, ${delegationColumns(sql)}
      from delegation d join address a on a.id = d.address_id join validator v on v.id = d.validator_id
      where (d.validator_id, d.address_id) > (${after.validator_id}, ${after.address_id}) and v.operator is not null
      order by d.validator_id, d.address_id limit ${PAGE}`
    yield rows.map(toDelegation)
    if (rows.length < PAGE) break
    after = rows.at(-1)!
  }
}

/** All supplies and validators, and up to `count` balances and delegations each that nobody can foresee. */
export async function sampleRecords(sql: Reader, count: number): Promise<IndexedRecord[]> {
  const accounts = await sql<{ address: string; amount: string }[]>`
    select encode(address, 'hex') as address, spendable as amount from address
    where id in (select floor(random() * (select max(id) + 1 from address))::bigint from generate_series(1, ${count}))`
  const delegations = await sql<DelegationRow[]>`
    select ${delegationColumns(sql)}
    from delegation d join address a on a.id = d.address_id join validator v on v.id = d.validator_id
    where v.operator is not null
    order by random() limit ${count}`
  return [
    ...(await listSupplies(sql)),
    ...(await listValidators(sql)),
    ...accounts.map((row) => toBalance({ ...row, denom: 'utia' })),
    ...delegations.map(toDelegation),
  ]
}

async function listSupplies(sql: Reader): Promise<IndexedRecord[]> {
  const rows = await sql<{ denom: string; amount: string }[]>`select denom, amount from supply order by denom`
  return rows.map(({ denom, amount }) => ({ record: { kind: 'supply', denom }, value: { amount: BigInt(amount) } }))
}

async function listValidators(sql: Reader): Promise<IndexedRecord[]> {
  const rows = await sql<ValidatorRow[]>`
    select ${validatorColumns(sql)} from validator v where v.operator is not null order by v.id`
  return rows.map(toValidator)
}

/** A validator that the index knows by its operator. */
export async function findValidatorRecord(sql: Reader, id: number): Promise<IndexedRecord | undefined> {
  const [row] = await sql<ValidatorRow[]>`
    select ${validatorColumns(sql)} from validator v where v.id = ${id} and v.operator is not null`
  return row && toValidator(row)
}

/** Balances in other denominations than utia. */
function otherBalances(sql: Reader): Promise<{ address: string; denom: string; amount: string }[]> {
  return sql<{ address: string; denom: string; amount: string }[]>`
    select encode(a.address, 'hex') as address, b.denom, b.amount from balance b join address a on a.id = b.address_id
    order by b.address_id, b.denom`
}

type DelegationRow = { delegator: string; operator: string; shares: string }
type ValidatorRow = { operator: string; tokens: string; shares: string; jailed: boolean; bonded: boolean }

/** Over `delegation d`, `address a`, `validator v`. */
const delegationColumns = (sql: Reader) => sql`
  encode(a.address, 'hex') as delegator, encode(v.operator, 'hex') as operator, trunc(d.shares * 1e18)::text as shares`

/** Over `validator v`. */
const validatorColumns = (sql: Reader) => sql`
  encode(v.operator, 'hex') as operator, v.stake as tokens, trunc(v.shares * 1e18)::text as shares, v.jailed, v.bonded`

function toBalance({ address, denom, amount }: { address: string; denom: string; amount: string }): IndexedRecord {
  return { record: { kind: 'balance', address, denom }, value: { amount: BigInt(amount) } }
}

function toValidator({ operator, tokens, shares, jailed, bonded }: ValidatorRow): IndexedRecord {
  return { record: { kind: 'validator', operator }, value: { tokens: BigInt(tokens), shares: BigInt(shares), jailed, bonded } }
}

function toDelegation({ delegator, operator, shares }: DelegationRow): IndexedRecord {
  return { record: { kind: 'delegation', delegator, operator }, value: { shares: BigInt(shares) } }
}
