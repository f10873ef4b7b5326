import type { Cause } from '../../../types/balance-change.ts'
import type { Reader } from '../../db.ts'
import { type Fragment, optional } from '../../sql/fragment.ts'
import type { ChangedPart } from '../../state/history-tables.ts'

export type TypeFilter = {
  parts?: readonly ChangedPart[] | undefined
  causes?: readonly Cause[] | undefined
  denom?: string | undefined
}

/**
 * `with recursive …, type as (…)`: the types of changes that an account has. Its rows are ordered by type, so each is found by one look
 * into the index, however many rows are between them.
 */
export function withTypesOf(sql: Reader, addressId: number, { parts, causes, denom }: TypeFilter = {}): Fragment {
  return sql`
    with recursive held as (
      (select type_id from balance_change where address_id = ${addressId} order by type_id limit 1)
      union all
      select (select c.type_id from balance_change c where c.address_id = ${addressId} and c.type_id > h.type_id order by c.type_id limit 1)
      from held h
      where h.type_id is not null
    ), type as materialized (
      select t.*
      from held h
      join balance_change_type t on t.id = h.type_id
      where true
        ${parts ? sql`and t.part = any(${parts as string[]}::text[])` : sql``}
        ${causes ? sql`and t.cause = any(${causes as string[]}::text[])` : sql``}
        ${optional`and t.denom = ${denom}`}
    )`
}
