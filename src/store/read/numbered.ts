import type { Reader } from '../db.ts'
import { beyond, direction, type Fragment } from '../sql/fragment.ts'

export type NumberedPage = { limit: number; offset: number; cursor?: number | undefined; sort: 'asc' | 'desc' }

/**
 * Order and cursor of append-only rows `r` numbered by height and position. Their key is (height, id), their other indexes are
 * (owner, id); ids grow with the height, so both give the same order. `byOwner` says which of the two indexes is to be walked.
 */
export function orderNumbered(sql: Reader, f: NumberedPage, byOwner: boolean) {
  const after = () =>
    byOwner
      ? sql`and r.id ${beyond(f.sort)} ${f.cursor!}`
      : sql`and (r.height, r.id) ${beyond(f.sort)} ((${f.cursor!}::bigint >> 24)::integer, ${f.cursor!}::bigint)`
  return {
    order: byOwner ? sql`r.id ${direction(f.sort)}` : sql`r.height ${direction(f.sort)}, r.id ${direction(f.sort)}`,
    after: f.cursor === undefined ? sql`` : after(),
    /** A cursor replaces the offset. */
    offset: f.cursor === undefined ? f.offset : 0,
  }
}

/** Ids of such rows hold a height of at least 1. */
const FIRST_ID = 2 ** 24

/** Rows that are walked over to find a running number; as many as an offset may skip. */
export const MAX_NUMBER = 1_000_000

/** Tables whose rows clients of the reference service number from 1. */
export type NumberedTable = 'blob' | 'ibc_transfer' | 'hl_transfer' | 'forwarding'

/**
 * The id that a client means. A smaller one than any row has is a running number, as clients of the reference service hold it: 1 is the
 * first row of the table. Null when there are not so many, or when it is too far to walk (`isOutOfReach`).
 */
export function meantId(sql: Reader, table: NumberedTable, id: number): Fragment {
  if (id >= FIRST_ID) return sql`${id}::bigint`
  if (id > MAX_NUMBER) return sql`null::bigint`
  return sql`(${rowNumber(sql, table, id)})`
}

function rowNumber(sql: Reader, table: NumberedTable, number: number): Fragment {
  return sql`select l.id from ${sql(table)} l order by l.height, l.id offset ${number - 1} limit 1`
}

/** Whether a running number is too far to walk to although the table continues that far; `reach` as far as one walks. */
export async function isOutOfReach(sql: Reader, table: NumberedTable, id: number, reach = MAX_NUMBER): Promise<boolean> {
  if (id <= reach || id >= FIRST_ID) return false
  return (await sql`${rowNumber(sql, table, reach + 1)}`).length > 0
}

/** Condition on the key of a row `r` of the table. */
export function isMeant(sql: Reader, table: NumberedTable, id: number): Fragment {
  return sql`(r.height, r.id) = (select (w.id >> 24)::integer, w.id from (select ${meantId(sql, table, id)} as id) w)`
}
