import type { Reader } from '../db.ts'
import { optional } from '../sql/fragment.ts'
import { type AccountRef, PRIMARY_NAME } from './celestial.ts'
import { everyDelegation } from './delegation.ts'

/** A validator as lists name it. Queries build it with `json_build_array(v.id, encode(v.cons_address, 'hex'), v.moniker)`. */
export type ValidatorRef = [id: number, consAddress: string, moniker: string]

export type ValidatorRow = {
  id: number
  version: number
  cons_address: string
  moniker: string
  website: string
  identity: string
  contacts: string
  details: string
  rate: string
  max_rate: string
  max_change_rate: string
  min_self_delegation: string
  stake: string
  rewards: string
  commissions: string
  voting_power: string
  jailed: boolean
  messages_count: number
  creation_time: string
  operator: string | null
  delegator: string | null
}

export type ValidatorFilter = { limit: number; offset: number; jailed?: boolean | undefined; version?: number | undefined }

/** By stake, jailed ones counted as 0 and so last. */
export function listValidators(sql: Reader, f: ValidatorFilter): Promise<ValidatorRow[]> {
  return sql<ValidatorRow[]>`
    select ${validatorColumns(sql)}
    from validator v
    left join address d on d.id = v.delegator_id
    where true
      ${optional`and v.jailed = ${f.jailed}`}
      ${optional`and v.version = ${f.version}`}
    order by case when v.jailed then 0 else v.stake end desc, v.id desc
    limit ${f.limit} offset ${f.offset}`
}

export async function findValidator(sql: Reader, id: number): Promise<ValidatorRow | undefined> {
  const [row] = await sql<ValidatorRow[]>`
    select ${validatorColumns(sql)}
    from validator v
    left join address d on d.id = v.delegator_id
    where v.id = ${id}`
  return row
}

/** Columns of a `ValidatorRow` over `validator v` and the account that created it, `address d`. */
export function validatorColumns(sql: Reader) {
  return sql`
    v.id, v.version, encode(v.cons_address, 'hex') as cons_address, v.moniker, v.website, v.identity, v.contacts, v.details,
    trim_scale(v.rate) as rate, trim_scale(v.max_rate) as max_rate, trim_scale(v.max_change_rate) as max_change_rate,
    v.min_self_delegation, v.stake, floor(v.rewards) as rewards, floor(v.commissions) as commissions,
    div(v.stake, 1000000) as voting_power, v.jailed, v.messages_count, v.creation_time,
    encode(v.operator, 'hex') as operator, encode(d.address, 'hex') as delegator`
}

export type ValidatorCountRow = { total: number; jailed: number; active: number }

/** Undefined while the chain's limit of active validators is unknown. */
export async function countValidators(sql: Reader): Promise<ValidatorCountRow | undefined> {
  const [row] = await sql<ValidatorCountRow[]>`
    select v.total, v.jailed, least(v.total - v.jailed, c.value::bigint) as active
    from constant c, (select count(*) as total, count(*) filter (where jailed) as jailed from validator) v
    where c.module = 'staking' and c.name = 'max_validators'`
  return row
}

export type SignedRow = { height: number; signed: boolean }

/** Heights below `head`, newest first: who signed a block stands in the next one, so the head itself is not known yet. Nobody signs genesis. */
export function listSignedBlocks(sql: Reader, f: { id: number; head: number; limit: number }): Promise<SignedRow[]> {
  return sql<SignedRow[]>`
    select b.height - 1 as height,
           case when ${f.id}::bigint < octet_length(b.signers) * 8 then get_bit(b.signers, ${f.id}::bigint) = 1 else false end as signed
    from block b
    where b.height between ${f.head - f.limit + 1} and ${f.head}
      and b.height > (select min(height) + 1 from block)
    order by b.height desc`
}

export type MissedRow = { id: number; missed: number[]; blocks: number }

/** Which of the last blocks each validator, or one of them, did not sign, newest first. */
export function listMissedBlocks(
  sql: Reader,
  f: { head: number; limit: number; validator?: number | undefined },
): Promise<MissedRow[]> {
  return sql<MissedRow[]>`
    with last as (
      select b.height - 1 as height, b.signers
      from block b
      where b.height between ${f.head - f.limit + 1} and ${f.head} and b.height > (select min(height) + 1 from block)
    )
    select v.id, (select count(*)::int from last) as blocks,
           coalesce((
             select json_agg(l.height order by l.height desc)
             from last l
             where case when v.id < octet_length(l.signers) * 8 then get_bit(l.signers, v.id::bigint) = 0 else true end
           ), '[]') as missed
    from validator v
    ${optional`where v.id = ${f.validator}`}
    order by v.id`
}

export type DelegatorRow = { amount: string; delegator: AccountRef }

export function listDelegators(
  sql: Reader,
  f: { id: number; limit: number; offset: number; show_zero: boolean },
): Promise<DelegatorRow[]> {
  return sql<DelegatorRow[]>`
    with page as materialized (
      select d.amount, d.address_id
      from ${f.show_zero ? everyDelegation(sql) : sql`delegation`} d
      where d.validator_id = ${f.id}
        ${f.show_zero ? sql`` : sql`and d.amount > 0`}
      order by d.amount desc, d.address_id desc
      limit ${f.limit} offset ${f.offset}
    )
    select page.amount, json_build_array(encode(a.address, 'hex'), c.id, c.image_url) as delegator
    from page
    join address a on a.id = page.address_id
    ${PRIMARY_NAME}
    order by page.amount desc, page.address_id desc`
}

export type JailRow = { height: number; time: string; reason: string; burned: string }

export function listJails(sql: Reader, f: { id: number; limit: number; offset: number }): Promise<JailRow[]> {
  return sql<JailRow[]>`
    select j.height, j.time, j.reason, j.burned
    from jail j
    where j.validator_id = ${f.id}
    order by j.id desc
    limit ${f.limit} offset ${f.offset}`
}

/** By the bytes of the operator address. The newest, when an operator created a validator again. */
export async function findValidatorId(sql: Reader, operator: Uint8Array): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`select id from validator where operator = ${operator} order by id desc limit 1`
  return row?.id
}
