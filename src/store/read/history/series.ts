import type { Reader } from '../../db.ts'
import { firstId } from '../../pack/id.ts'
import { toTime } from '../stats/timeframe.ts'
import { listPastBalances } from './balances.ts'
import { type TypeFilter, withTypesOf } from './types-of.ts'

export type Point = { time: string; value: string }

/** Bucket starts in unix seconds, oldest first, with the end of the last one: n + 1 of them for n buckets. */
export type Borders = readonly number[]

export type SeriesFilter = TypeFilter & { addressId: number; borders: Borders }

/** Ids with which the first block at or after each border begins. */
export async function idsAt(sql: Reader, borders: Borders): Promise<number[]> {
  const rows = await sql<{ height: number }[]>`
    select coalesce((select b.height from block b where b.time >= t.time order by b.time limit 1), (select last_height + 1 from head)) as height
    from unnest(${borders.map(toTime)}::timestamptz[]) with ordinality as t (time, n)
    order by t.n`
  return rows.map(({ height }) => firstId(height))
}

/** Balance at the end of each bucket, all parts together; newest first. */
export async function listBalanceSeries(sql: Reader, { addressId, borders, ...filter }: SeriesFilter): Promise<Point[]> {
  const ends = (await idsAt(sql, borders)).slice(1)
  const firstEnd = ends[0]
  if (firstEnd === undefined) return []
  const rows = await sql<{ n: number; part: string; balance: string }[]>`
    ${withTypesOf(sql, addressId, filter)}
    select distinct on (e.n, t.part) e.n, t.part, c.balance::text
    from unnest(${ends}::bigint[]) with ordinality as e (id, n)
    cross join type t
    cross join lateral (
      select id, balance from balance_change where address_id = ${addressId} and type_id = t.id and id < e.id order by id desc limit 1
    ) c
    order by e.n, t.part, c.id desc`
  // Where nothing had changed by the end of the first bucket, an index without older changes still knows what there was.
  const first = await listPastBalances(sql, addressId, Math.floor((firstEnd - 1) / 2 ** 24), filter)
  const present = new Map(first.map(({ part, amount }) => [part as string, BigInt(amount)]))
  const points: Point[] = []
  let at = 0
  for (const n of ends.keys()) {
    for (; at < rows.length && rows[at]!.n === n + 1; at++) present.set(rows[at]!.part, BigInt(rows[at]!.balance))
    let sum = 0n
    for (const amount of present.values()) sum += amount
    points.push({ time: toTime(borders[n]!), value: String(sum) })
  }
  return points.reverse()
}

/** Sum of the changes of these causes within each bucket; newest first, buckets without one are left out. */
export async function listSumSeries(sql: Reader, { addressId, borders, ...filter }: SeriesFilter): Promise<Point[]> {
  const ids = await idsAt(sql, borders)
  const rows = await sql<{ n: number; value: string }[]>`
    ${withTypesOf(sql, addressId, filter)}
    select e.n, sum(c.amount)::text as value
    from unnest(${ids.slice(0, -1)}::bigint[], ${ids.slice(1)}::bigint[]) with ordinality as e (start, stop, n)
    cross join type t
    cross join lateral (
      select amount from balance_change where address_id = ${addressId} and type_id = t.id and id >= e.start and id < e.stop
    ) c
    group by e.n
    order by e.n desc`
  return rows.map(({ n, value }) => ({ time: toTime(borders[n - 1]!), value }))
}
