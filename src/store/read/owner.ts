import type { Reader } from '../db.ts'
import type { Fragment } from './fragment.ts'
import { plainTables, type ReadTables, tablesOf } from './partition.ts'

/**
 * The list of an owner answers two things in one statement, so in one snapshot: is the owner known, and what does it own. It selects
 * `from <owner> left join lateral (<page>) page on true`, where every row of the page says `true as owned`.
 */
export type OwnedRow<Row> = Row & { owned: true | null }

/** Undefined when the owner is unknown (no row at all), `[]` when it owns nothing (one row of nulls). */
export function ownedRows<Row>(rows: readonly OwnedRow<Row>[]): Row[] | undefined {
  if (rows.length === 0) return undefined
  return rows[0]!.owned === null ? [] : rows.map(({ owned: _, ...row }) => row as Row)
}

export type OwnedPage = {
  owner: Fragment
  isOwner: Fragment
  /** selects `id`, in which the height stands, and `role` */
  page: Fragment
  /** the rows of `links`, which are `l (id, role)` */
  rows: (links: Fragment, tables: ReadTables) => Fragment
  order: Fragment
}

/** The rows of a page of links: in one statement where tables are not partitioned, otherwise once it is known which partitions hold them. */
export async function readOwned<Row>(sql: Reader, { owner, isOwner, page, rows, order }: OwnedPage): Promise<Row[] | undefined> {
  const listOf = (found: Fragment) => sql`select page.* from ${owner} left join lateral (${found}) page on true where ${isOwner}`
  if (!sql.partitions?.layout)
    return ownedRows(await sql<OwnedRow<Row>[]>`${listOf(rows(sql`(${page}) l`, plainTables(sql)))} order by ${order}`)
  const links = ownedRows(
    await sql<OwnedRow<{ id: number; role: number }>[]>`${listOf(sql`select true as owned, k.* from (${page}) k`)}`,
  )
  if (!links || links.length === 0) return links as [] | undefined
  const ids = links.map(({ id }) => id)
  const known = sql`unnest(${ids}::bigint[], ${links.map(({ role }) => role)}::integer[]) as l (id, role)`
  return ownedRows(await sql<OwnedRow<Row>[]>`select page.* from (${rows(known, tablesOf(sql, ids))}) page order by ${order}`)
}
