import type { Reader } from '../db.ts'
import type { Fragment } from '../sql/fragment.ts'

/**
 * Rows of several statements, each of which has the order that the whole is to have. The planner merges their indexes, so that no more is
 * read than a page and what it skips; without an order of their own it would read them all and sort.
 */
export function mergeOrdered(sql: Reader, parts: readonly [Fragment, ...Fragment[]]): Fragment {
  return parts.map((part) => sql`(${part})`).reduce((all, more) => sql`${all} union all ${more}`)
}

/**
 * Cuts a page out of ordered rows. The planner cannot guess a limit that comes as a parameter and takes it for a tenth of the table:
 * it then joins whole tables, or plans every request again. The constant, the most that any list gives, tells it how small a page
 * is, and an offset is only named when there is one. Blob list on the bulk recording: 2.1 ms of PostgreSQL with bare parameters, 0.5 ms
 * so (Nov 2026). An offset is guessed in the same way, so a constant bounds the rows that are skipped too. A limit stops the one below it,
 * so nothing more is read.
 */
export function cutPage(
  sql: Reader,
  rows: Fragment,
  { limit, offset, cursor }: { limit: number; offset: number; cursor?: number | undefined },
): Fragment {
  const isSkipping = offset > 0 && cursor === undefined
  const behind = isSkipping ? sql`select * from (${rows} ${boundOf(sql, offset + limit)}) as rows offset ${offset}` : rows
  return sql`select * from (${behind} limit 100) as page limit ${limit}`
}

/** One of a few constants: each makes its own statement, which is planned once. */
function boundOf(sql: Reader, rows: number): Fragment {
  if (rows <= 1000) return sql`limit 1000`
  if (rows <= 10_000) return sql`limit 10000`
  if (rows <= 100_000) return sql`limit 100000`
  return sql``
}
