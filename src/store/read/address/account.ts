import type { Reader } from '../../db.ts'
import { beyond, direction, optional } from '../../sql/fragment.ts'
import { type AccountRef, PRIMARY_NAME } from '../celestial.ts'
import { type OwnedRow, ownedRows } from '../owner.ts'

export type AddressRow = {
  id: number
  first_height: number
  last_height: number
  account: AccountRef
  name: string | null
  is_forwarding: boolean
  spendable: string
  delegated: string
  unbonding: string
}

export type AddressFilter = {
  limit: number
  offset: number
  /** id of the last row already seen, in whatever order: its own values are the place in the list */
  cursor?: number | undefined
  sort: 'asc' | 'desc'
  sort_by: 'id' | 'spendable' | 'delegated' | 'unbonding' | 'first_height' | 'last_height'
}

/** Sorted by id or a balance the list holds accounts that ever had utia, sorted by a height all of them (docs/rules.md R33). */
export function listAddresses(sql: Reader, f: AddressFilter): Promise<AddressRow[]> {
  const dir = direction(f.sort)
  const key = {
    id: sql`a.id`,
    spendable: sql`a.spendable`,
    delegated: sql`a.delegated`,
    unbonding: sql`a.unbonding`,
    // Ids are given in order of first appearance, so the id orders by first height too.
    first_height: sql`a.id`,
    last_height: sql`a.last_height`,
  }[f.sort_by]
  const byHeight = f.sort_by === 'first_height' || f.sort_by === 'last_height'

  return sql<AddressRow[]>`
    with page as materialized (
      select a.id
      from address a
      where ${byHeight ? sql`true` : sql`a.has_native`}
        ${optional`and (${key}, a.id) ${beyond(f.sort)} (select ${key}, a.id from address a where a.id = ${f.cursor}::bigint)`}
      order by ${key} ${dir}, a.id ${dir}
      limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}
    )
    select ${addressColumns(sql)}
    from page
    join address a on a.id = page.id
    ${PRIMARY_NAME}
    order by ${key} ${dir}, a.id ${dir}`
}

/** By the bytes of the address, so that the operator form finds its account. */
export async function findAddress(sql: Reader, address: Uint8Array): Promise<AddressRow | undefined> {
  const [row] = await sql<AddressRow[]>`
    select ${addressColumns(sql)}
    from address a
    ${PRIMARY_NAME}
    where a.address = ${address}`
  return row
}

/** Columns of an `AddressRow` over `address a` and its primary name `celestial c`. */
export function addressColumns(sql: Reader) {
  return sql`
    a.id, a.first_height, a.last_height, json_build_array(encode(a.address, 'hex'), c.id, c.image_url) as account, a.name, a.is_forwarding,
    a.spendable, a.delegated, a.unbonding`
}

export async function findAddressId(sql: Reader, address: Uint8Array): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`select id from address where address = ${address}`
  return row?.id
}

export async function countAddresses(sql: Reader): Promise<number | undefined> {
  const [row] = await sql<{ total: number }[]>`select total_accounts as total from head`
  return row?.total
}

export type BalanceRow = { currency: string; spendable: string; delegated: string; unbonding: string }

/** The native balance stands in the address row, the others in `balance`; undefined when the address is unknown. */
export async function listBalances(
  sql: Reader,
  f: { address: Uint8Array; limit: number; offset: number },
): Promise<BalanceRow[] | undefined> {
  const rows = await sql<OwnedRow<BalanceRow>[]>`
    select page.*
    from address owner
    left join lateral (
      select true as owned, currency, spendable, delegated, unbonding
      from (
        select 'utia' as currency, owner.spendable, owner.delegated, owner.unbonding
        where owner.has_native
        union all
        select b.denom, b.amount, 0, 0
        from balance b
        where b.address_id = owner.id
      ) held
      order by currency collate "C"
      limit ${f.limit} offset ${f.offset}
    ) page on true
    where owner.address = ${f.address}
    order by page.currency collate "C"`
  return ownedRows(rows)
}
