import type { Reader } from '../../db.ts'
import type { Fragment } from '../../sql/fragment.ts'
import { DAY, HOUR, MONTH } from '../../state/bucket.ts'
import { otherParts, rollupParts } from './last-day.ts'
import { within } from './segment.ts'
import { type Period, SOURCE, toTime } from './timeframe.ts'

type Point = { time: string; value: string }

export type RollupSeriesFilter = {
  id: number
  name: 'blobs_count' | 'size' | 'size_per_blob' | 'fee'
  timeframe: 'hour' | 'day' | 'month'
} & Period

/** Newest bucket first; empty for an unknown or unverified rollup. */
export function listRollupSeries(sql: Reader, { id, name, timeframe, ...period }: RollupSeriesFilter): Promise<Point[]> {
  const value = name === 'size_per_blob' ? sql`size::numeric / blobs_count` : sql`trim_scale(${sql(name)}::numeric)`
  return sql<Point[]>`
    select time, (${value})::text as value
    from rollup_bucket
    where rollup_id = ${verified(sql, id)} and frame = ${SOURCE[timeframe].frame} ${within(sql, period)}
    order by time desc`
}

export type RollupDistributionFilter = {
  id: number
  name: 'blobs_count' | 'size' | 'size_per_blob' | 'fee_per_blob'
  timeframe: 'hour' | 'day'
  now: string
}

/** Mean of the buckets by hour of the day (one month) or by ISO weekday 1..7 (three months). */
export function listRollupDistribution(
  sql: Reader,
  { id, name, timeframe, now }: RollupDistributionFilter,
): Promise<{ part: number; value: string }[]> {
  const value = {
    blobs_count: sql`blobs_count`,
    size: sql`size`,
    size_per_blob: sql`size::numeric / blobs_count`,
    fee_per_blob: sql`fee / blobs_count`,
  }[name]
  return sql<{ part: number; value: string }[]>`
    select extract(${timeframe === 'hour' ? sql`hour` : sql`isodow`} from time)::int as part, avg(${value})::text as value
    from rollup_bucket
    where rollup_id = ${verified(sql, id)}
      and frame = ${timeframe === 'hour' ? HOUR : DAY}
      and time >= ${now}::timestamptz - ${timeframe === 'hour' ? sql`interval '1 month'` : sql`interval '3 months'`}
    group by 1
    order by 1`
}

function verified(sql: Reader, id: number): Fragment {
  return sql`(select r.id from rollup r where r.id = ${id} and r.verified)`
}

export type RollupPointRow = { time: string; name: string; logo: string; size: number; fee: string; blobs_count: number }

/** All rollups over the last day, month or year, newest bucket first, largest rollup first within it. */
export function listAllRollupSeries(
  sql: Reader,
  { timeframe, now, from, to }: { timeframe: 'hour' | 'day' | 'month'; now: string } & Period,
): Promise<RollupPointRow[]> {
  const [frame, span] = {
    hour: [HOUR, sql`interval '1 day'`] as const,
    day: [DAY, sql`interval '30 days'`] as const,
    month: [MONTH, sql`interval '1 year'`] as const,
  }[timeframe]
  return sql<RollupPointRow[]>`
    select b.time, r.name, r.logo, b.size, trim_scale(b.fee) as fee, b.blobs_count
    from rollup_bucket b
    join rollup r on r.id = b.rollup_id and r.verified
    where b.frame = ${frame}
      ${from === undefined ? sql`and b.time > ${to === undefined ? now : toTime(to)}::timestamptz - ${span}` : sql``} ${within(sql, { from, to })}
    order by b.time desc, b.size desc, r.id`
}

export type RollupStats24hRow = {
  id: number | null
  name: string | null
  logo: string | null
  size: number
  fee: number
  blobs_count: number
}

/** Rollups of the last 24 hours, most blobs first; the row without id holds the blobs of no rollup. */
export function listRollupStats24h(sql: Reader, now: string): Promise<RollupStats24hRow[]> {
  return sql<RollupStats24hRow[]>`
    select id, name, logo, size::bigint as size, fee::float8 as fee, blobs_count::bigint as blobs_count
    from (
      select r.id, r.name, r.logo, sum(p.size) as size, sum(p.fee) as fee, sum(p.blobs_count) as blobs_count
      from (${rollupParts(sql, now)}) p
      join rollup r on r.id = p.rollup_id
      group by r.id
      union all
      select null, null, null, sum(size), sum(fee), sum(blobs_count)
      from (${otherParts(sql, now)}) p
      having sum(blobs_count) > 0
    ) part
    order by blobs_count desc, id`
}

export type RollupGroupRow = { group: string; fee: number; size: number; blobs_count: number }

/** Totals of verified rollups by a column of the registry, largest group first. */
export function groupRollups(
  sql: Reader,
  f: { func: 'sum' | 'avg'; column: 'stack' | 'type' | 'category' | 'vm' | 'provider' },
): Promise<RollupGroupRow[]> {
  const fn = f.func === 'sum' ? sql`sum` : sql`avg`
  return sql<RollupGroupRow[]>`
    select r.${sql(f.column)} as "group", ${fn}(s.fee)::float8 as fee, ${fn}(s.size)::float8 as size,
           round(${fn}(s.blobs_count))::bigint as blobs_count
    from rollup_stats s
    join rollup r on r.id = s.rollup_id and r.verified
    group by 1
    order by size desc, 1`
}
