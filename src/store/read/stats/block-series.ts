import { assertNever } from '../../../lib/assert-never.ts'
import { BLOCK_SERIES, type CumulativeName, type SeriesName } from '../../../types/block-series.ts'
import type { Reader } from '../../db.ts'
import type { Fragment } from '../../sql/fragment.ts'
import type { BlockBucketRow } from '../../state/block-series-tables.ts'
import { formatFloat } from './format.ts'
import { inSegments, within } from './segment.ts'
import { ceilTo, coverBefore, type Period, SOURCE, type Timeframe } from './timeframe.ts'

export type SeriesRow = { time: string; value: string; max?: string; min?: string }

type RawRow = { time: string; value: string | number; max?: number; min?: number }

/** Newest bucket first. */
export async function listBlockSeries(
  sql: Reader,
  { name, timeframe, ...period }: { name: SeriesName; timeframe: Timeframe } & Period,
): Promise<SeriesRow[]> {
  const { per } = SOURCE[timeframe]
  const sum = sumOf(sql, timeframe)
  const [max, min] = [`${name}_max`, `${name}_min`]
  const extremes = !('hasExtremes' in BLOCK_SERIES[name])
    ? sql``
    : per
      ? sql`, max(${sql(max)}) as max, min(${sql(min)}) as min`
      : sql`, ${sql(max)} as max, ${sql(min)} as min`
  const rows = await listBuckets<RawRow>(
    sql,
    timeframe,
    period,
    sql`${expressionOf(sql, name, timeframe, sum)} as value ${extremes}`,
  )
  return rows.map(toSeriesRow)
}

/** Several series over the same buckets in one statement, newest first. */
export async function listBlockSeriesTogether(
  sql: Reader,
  { names, timeframe, ...period }: { names: readonly SeriesName[]; timeframe: Timeframe } & Period,
): Promise<Partial<Record<SeriesName, SeriesRow[]>>> {
  const sum = sumOf(sql, timeframe)
  const columns = names.map((name) => sql`${expressionOf(sql, name, timeframe, sum)} as ${sql(name)}`)
  const rows = await listBuckets<TogetherRow>(sql, timeframe, period, joinFragments(sql, columns))
  return spread(names, rows)
}

/** Running sums of several series in one statement, oldest first. */
export async function listCumulativeSeriesTogether(
  sql: Reader,
  { names, timeframe, ...period }: { names: readonly CumulativeName[]; timeframe: Timeframe } & Period,
): Promise<Partial<Record<SeriesName, SeriesRow[]>>> {
  const { from } = wholeBuckets(timeframe, period)
  const bases = names.map((name) => sql`coalesce(sum(${sql(name)}), 0) as ${sql(name)}`)
  const sums = names.map((name) => sql`sum(${sql(name)}) as ${sql(name)}`)
  const running = names.map(
    (name) => sql`(base.${sql(name)} + sum(bucket.${sql(name)}) over (order by start))::text as ${sql(name)}`,
  )
  const before = from === undefined ? sql`false` : inSegments(sql, coverBefore(from))
  const rows = await sql<TogetherRow[]>`
    select start as time, ${joinFragments(sql, running)}
    from (${cumulativeBuckets(sql, timeframe, period, joinFragments(sql, sums))}) bucket,
         (select ${joinFragments(sql, bases)} from block_bucket where ${before}) base
    order by start`
  return spread(names, rows)
}

type TogetherRow = { time: string } & Record<string, string | number>

const joinFragments = (sql: Reader, parts: Fragment[]): Fragment => parts.reduce((all, part) => sql`${all}, ${part}`)

const spread = (names: readonly SeriesName[], rows: TogetherRow[]): Partial<Record<SeriesName, SeriesRow[]>> =>
  Object.fromEntries(names.map((name) => [name, rows.map((row) => toSeriesRow({ time: row.time, value: row[name]! }))]))

/** How a column is taken from the rows of a bucket: as it is, or added up over the days of a week. */
type Sum = (column: keyof BlockBucketRow) => Fragment

const sumOf = (sql: Reader, timeframe: Timeframe): Sum =>
  SOURCE[timeframe].per ? (column) => sql`sum(${sql(column)})` : (column) => sql`${sql(column)}`

function expressionOf(sql: Reader, name: SeriesName, timeframe: Timeframe, sum: Sum): Fragment {
  const { value, column } = BLOCK_SERIES[name]
  switch (value) {
    case 'sum':
      return sql`trim_scale(${sum(column)}::numeric)`
    case 'per-second':
      return sql`${sum(column)}::numeric / ${secondsOf(sql, timeframe, sum)}`
    case 'per-gas':
      return sql`case when ${sum('gas_limit')} > 0 then ${sum(column)}::numeric / ${sum('gas_limit')} else 0 end`
    case 'per-block':
      return sql`${sum(column)}::float8 / ${sum('blocks')}::float8`
    default:
      return assertNever(value)
  }
}

/** Months and years are divided by the days that have blocks: a chain that began or stopped in between is not diluted. */
function secondsOf(sql: Reader, timeframe: Timeframe, sum: Sum): Fragment {
  switch (timeframe) {
    case 'hour':
      return sql`3600`
    case 'day':
      return sql`86400`
    case 'week':
      return sql`604800`
    default:
      return sql`(${sum('days')} * 86400)`
  }
}

function toSeriesRow({ time, value, max, min }: RawRow): SeriesRow {
  return {
    time,
    value: typeof value === 'number' ? formatFloat(value) : value,
    ...(max === undefined || min === undefined ? {} : { max: formatFloat(max), min: formatFloat(min) }),
  }
}

/** Buckets of a timeframe, newest first. Weeks and years are made of days and months. */
function listBuckets<Row extends object>(sql: Reader, timeframe: Timeframe, period: Period, columns: Fragment): Promise<Row[]> {
  const { frame, per } = SOURCE[timeframe]
  if (!per)
    return sql<Row[]>`
      select time, ${columns}
      from block_bucket
      where frame = ${frame} ${within(sql, period)}
      order by time desc` as unknown as Promise<Row[]>
  const whole = wholeBuckets(timeframe, period)
  return sql<Row[]>`
    select ${startOf(sql, per)} as time, ${columns}
    from block_bucket
    where frame = ${frame} ${within(sql, whole)}
    group by 1
    order by 1 desc` as unknown as Promise<Row[]>
}

/** Start of the week or year that a row belongs to. */
export function startOf(sql: Reader, per: 'week' | 'year'): Fragment {
  return per === 'week' ? sql`date_trunc('week', time)` : sql`date_trunc('year', time)`
}

/** The period moved to bucket starts, so that a week at its end is taken whole or not at all. */
export function wholeBuckets(timeframe: Timeframe, { from, to }: Period): Period {
  return {
    from: from === undefined ? undefined : ceilTo(timeframe, from),
    to: to === undefined ? undefined : ceilTo(timeframe, to),
  }
}

/** Running sums from the beginning of the chain, oldest first; the period only cuts what is shown. */
export async function listCumulativeSeries(
  sql: Reader,
  { name, timeframe, ...period }: { name: CumulativeName; timeframe: Timeframe } & Period,
): Promise<SeriesRow[]> {
  const { from } = wholeBuckets(timeframe, period)
  // The time before the first bucket is added up from months, days and hours: some hundred rows at most, however long the chain.
  const base =
    from === undefined
      ? sql`0`
      : sql`(select coalesce(sum(${sql(name)}), 0) from block_bucket where ${inSegments(sql, coverBefore(from))})`
  return sql<SeriesRow[]>`
    select start as time, (${base} + sum(value) over (order by start))::text as value
    from (${cumulativeBuckets(sql, timeframe, period, sql`sum(${sql(name)}) as value`)}) bucket
    order by start`
}

function cumulativeBuckets(sql: Reader, timeframe: Timeframe, period: Period, sums: Fragment): Fragment {
  const { frame, per } = SOURCE[timeframe]
  return sql`
    select ${per ? startOf(sql, per) : sql`time`} as start, ${sums}
    from block_bucket
    where frame = ${frame} ${within(sql, wholeBuckets(timeframe, period))}
    group by 1`
}
