import type { Reader } from '../../db.ts'
import { everyDelegation } from '../delegation.ts'
import { type OwnedRow, ownedRows } from '../owner.ts'
import type { ValidatorRef } from '../validator.ts'

/** Page of the lists of an address. */
export type OfAddress = { address: Uint8Array; limit: number; offset: number }

export type DelegationRow = { amount: string; validator: ValidatorRef }

export async function listDelegations(sql: Reader, f: OfAddress & { show_zero: boolean }): Promise<DelegationRow[] | undefined> {
  const rows = await sql<OwnedRow<DelegationRow>[]>`
    select page.owned, page.amount, page.validator
    from address owner
    left join lateral (
      select true as owned, d.amount, d.validator_id, json_build_array(v.id, encode(v.cons_address, 'hex'), v.moniker) as validator
      from ${f.show_zero ? everyDelegation(sql) : sql`delegation`} d
      join validator v on v.id = d.validator_id
      where d.address_id = owner.id
        ${f.show_zero ? sql`` : sql`and d.amount > 0`}
      order by d.amount desc, d.validator_id desc
      limit ${f.limit} offset ${f.offset}
    ) page on true
    where owner.address = ${f.address}
    order by page.amount desc, page.validator_id desc`
  return ownedRows(rows)
}

export type UndelegationRow = { height: number; time: string; completion_time: string; amount: string; validator: ValidatorRef }

/** Open unbondings; finished ones leave the table. */
export async function listUndelegations(sql: Reader, f: OfAddress): Promise<UndelegationRow[] | undefined> {
  const rows = await sql<OwnedRow<UndelegationRow>[]>`
    select page.*
    from address owner
    left join lateral (
      select true as owned, u.id, u.height, u.time, u.completion_time, u.amount,
             json_build_array(v.id, encode(v.cons_address, 'hex'), v.moniker) as validator
      from undelegation u
      join validator v on v.id = u.validator_id
      where u.address_id = owner.id
      order by u.amount desc, u.id desc
      limit ${f.limit} offset ${f.offset}
    ) page on true
    where owner.address = ${f.address}
    order by page.amount desc, page.id desc`
  return ownedRows(rows)
}

export type RedelegationRow = {
  height: number
  time: string
  completion_time: string
  amount: string
  source: ValidatorRef
  destination: ValidatorRef
}

/** Open redelegations; finished ones leave the table. */
export async function listRedelegations(sql: Reader, f: OfAddress): Promise<RedelegationRow[] | undefined> {
  const rows = await sql<OwnedRow<RedelegationRow>[]>`
    select page.*
    from address owner
    left join lateral (
      select true as owned, r.id, r.height, r.time, r.completion_time, r.amount,
             json_build_array(s.id, encode(s.cons_address, 'hex'), s.moniker) as source,
             json_build_array(d.id, encode(d.cons_address, 'hex'), d.moniker) as destination
      from redelegation r
      join validator s on s.id = r.source_id
      join validator d on d.id = r.destination_id
      where r.address_id = owner.id
      order by r.amount desc, r.id desc
      limit ${f.limit} offset ${f.offset}
    ) page on true
    where owner.address = ${f.address}
    order by page.amount desc, page.id desc`
  return ownedRows(rows)
}
