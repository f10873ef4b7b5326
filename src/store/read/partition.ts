import { Detached } from '../../lib/errors.ts'
import type { Reader } from '../db.ts'
import { heightOf } from '../pack/id.ts'
import { partitionAt, partitionBefore, partitionName } from '../partitions/layout.ts'
import type { Fragment } from '../sql/fragment.ts'

/**
 * Where `tx` and `message` are partitioned, a statement names the partition that it needs. Through the partitioned table PostgreSQL would
 * open all of them: a page of txs with a join costs eleven times as much among a hundred (docs/decisions/0085).
 */
export type ReadTable = 'tx' | 'message'

export type ReadTables = Record<ReadTable, Fragment>

export const plainTables = (sql: Reader): ReadTables => ({ tx: sql`tx`, message: sql`message` })

/** The rows of a table between two heights: one partition, two neighbours, or the whole table. */
export function tableAt(sql: Reader, table: ReadTable, low: number, high = low): Fragment {
  const layout = sql.context.partitions.layout
  // Partitions that were made a moment ago are not known here yet.
  if (!layout || high >= layout.made_to) return sql`${sql(table)}`
  if (high < layout.kept_from) throw new Detached(high, layout.kept_from)
  const first = partitionAt(layout, Math.max(low, layout.kept_from))
  const last = partitionAt(layout, high)
  const named = (start: number) => sql`${sql(partitionName(table, start))}`
  if (first === last) return named(last)
  if (first === partitionBefore(layout, last)) return sql`(select * from ${named(first)} union all select * from ${named(last)})`
  return sql`${sql(table)}`
}

/** Both tables for the heights of some ids. */
export function tablesOf(sql: Reader, ids: readonly number[]): ReadTables {
  let low = Number.MAX_SAFE_INTEGER
  let high = 0
  for (const id of ids) {
    low = Math.min(low, heightOf(id))
    high = Math.max(high, heightOf(id))
  }
  return tablesBetween(sql, low, high)
}

function tablesBetween(sql: Reader, low: number, high: number): ReadTables {
  return { tx: tableAt(sql, 'tx', low, high), message: tableAt(sql, 'message', low, high) }
}

export type ListOrder = { sort: 'asc' | 'desc'; cursor?: number | undefined }

/**
 * Where a list begins: most pages are found in the partition of its first row or the next one. `undefined`: it cannot be told, or there is
 * nothing to choose from.
 */
export function startOfList(sql: Reader, { sort, cursor }: ListOrder): ReadTables | undefined {
  const { layout, head = 0 } = sql.context.partitions
  if (!layout) return undefined
  const begin = cursor === undefined ? (sort === 'asc' ? layout.kept_from : head) : Math.min(heightOf(cursor), head)
  if (begin < layout.kept_from) return undefined
  const partition = partitionAt(layout, begin)
  if (sort === 'desc') return tablesBetween(sql, partitionBefore(layout, partition) ?? 0, begin)
  const next = partition < layout.first_end ? layout.first_end : partition + layout.heights
  return tablesBetween(sql, begin, next)
}

/**
 * Fetches the rows of a page. `page` selects an `id` in which the height stands; `read` joins what it needs to `page (height, id)`. One
 * statement does both where tables are not partitioned; where they are, the partitions are known once the page is.
 */
export async function readPage<Row>(
  sql: Reader,
  page: Fragment,
  read: (page: Fragment, tables: ReadTables) => Promise<Row[]>,
): Promise<Row[]> {
  if (!sql.context.partitions.layout)
    return read(sql`page as materialized (select (k.id >> 24)::integer as height, k.id from (${page}) k)`, plainTables(sql))
  const ids = (await sql<{ id: number }[]>`${page}`).map(({ id }) => id)
  return ids.length === 0 ? [] : read(pageOfIds(sql, ids), tablesOf(sql, ids))
}

export function pageOfIds(sql: Reader, ids: readonly number[]): Fragment {
  return sql`page as materialized (select (k.id >> 24)::integer as height, k.id from unnest(${ids as number[]}::bigint[]) as k (id))`
}

/** The lowest id that is left, where old partitions were detached: links to older rows lead nowhere. */
export function firstKeptId(sql: Reader): number | undefined {
  const kept = sql.context.partitions.layout?.kept_from ?? 0
  return kept === 0 ? undefined : kept * 2 ** 24
}
