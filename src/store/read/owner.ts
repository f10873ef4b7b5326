import type { Reader } from '../db.ts'
import type { Fragment } from '../sql/fragment.ts'
import { type ListOrder, plainTables, type ReadTables, startOfList, tablesOf } from './partition.ts'

/**
 * The list of an owner answers two things in one statement, so in one snapshot: is the owner known, and what does it own. It selects
 * `from <owner> left join lateral (<page>) page on true`, where every row of the page says `true as owned`.
 */
export type OwnedRow<Row> = Row & { owned: true | null }

/** Undefined when the owner is unknown (no row at all), `[]` when it owns nothing (one row of nulls). */
export function ownedRows<Row>(rows: OwnedRow<Row>[]): Row[] | undefined {
  return pageOfOwner(rows)?.map(({ owned: _, ...row }) => row as Row)
}

/** Page whose rows still have `owned`. Copying wide ones without it takes longer than reading them. */
export function pageOfOwner<Row>(rows: OwnedRow<Row>[]): OwnedRow<Row>[] | undefined {
  if (rows.length === 0) return undefined
  return rows[0]!.owned === null ? [] : rows
}

export type OwnedPage = {
  list: ListOrder
  owner: Fragment
  isOwner: Fragment
  /** selects `id`, in which the height stands, and `role` */
  page: Fragment
  /** the rows of `links`, which are `l (id, role)`, as `link` and `role` with the columns of a tx: null where the tables do not have it */
  rows: (links: Fragment, tables: ReadTables) => Fragment
  order: Fragment
}

type Linked<Row> = Row & { link: number; role: number; tx_id: number | null }

/**
 * The rows of a page of links, in one statement where tables are not partitioned. Where they are, it looks into the partitions where the
 * list begins, which have what an active owner did last; for anything else a second statement names the partitions, which are known then.
 */
export async function readOwned<Row>(
  sql: Reader,
  { owner, isOwner, page, rows, order, list }: OwnedPage,
): Promise<Row[] | undefined> {
  const listOf = (found: Fragment) => sql`select page.* from ${owner} left join lateral (${found}) page on true where ${isOwner}`
  const likely = startOfList(sql, list) ?? plainTables(sql)
  const found = pageOfOwner(await sql<OwnedRow<Linked<Row>>[]>`${listOf(rows(sql`(${page}) l`, likely))} order by ${order}`)
  if (!sql.context.partitions.layout || !found || found.every(({ tx_id }) => tx_id !== null)) return found
  const ids = found.map(({ link }) => link)
  const known = sql`unnest(${ids}::bigint[], ${found.map(({ role }) => role)}::integer[]) as l (id, role)`
  return pageOfOwner(await sql<OwnedRow<Row>[]>`select page.* from (${rows(known, tablesOf(sql, ids))}) page order by ${order}`)
}
