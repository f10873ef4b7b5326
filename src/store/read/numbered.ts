import type { Reader } from '../db.ts'
import type { Fragment } from './fragment.ts'

export type NumberedPage = { limit: number; offset: number; cursor?: number | undefined; sort: 'asc' | 'desc' }

/**
 * Order and cursor of append-only rows `r` numbered by height and position. Their key is (height, id), their other indexes are
 * (owner, id); ids grow with the height, so both give the same order. `byOwner` says which of the two indexes is to be walked.
 */
export function orderNumbered(sql: Reader, f: NumberedPage, byOwner: boolean) {
  const dir = f.sort === 'asc' ? sql`asc` : sql`desc`
  const beyond = f.sort === 'asc' ? sql`>` : sql`<`
  const after = () =>
    byOwner
      ? sql`and r.id ${beyond} ${f.cursor!}`
      : sql`and (r.height, r.id) ${beyond} ((${f.cursor!}::bigint >> 24)::integer, ${f.cursor!}::bigint)`
  return {
    order: byOwner ? sql`r.id ${dir}` : sql`r.height ${dir}, r.id ${dir}`,
    after: f.cursor === undefined ? sql`` : after(),
    /** A cursor replaces the offset. */
    offset: f.cursor === undefined ? f.offset : 0,
  }
}

/** Ids of such rows hold a height of at least 1. */
const FIRST_ID = 2 ** 24

/**
 * The id that a client means. A smaller one than any row has is a running number, as clients of the reference service hold it: 1 is the
 * first row of the table. Null when there are not so many.
 */
export function meantId(sql: Reader, table: Fragment, id: number): Fragment {
  return id >= FIRST_ID ? sql`${id}::bigint` : sql`(select l.id from ${table} l order by l.height, l.id offset ${id - 1} limit 1)`
}

/** Condition on the key of a row `r` of the table. */
export function isMeant(sql: Reader, table: Fragment, id: number): Fragment {
  return sql`(r.height, r.id) = (select (w.id >> 24)::integer, w.id from (select ${meantId(sql, table, id)} as id) w)`
}
