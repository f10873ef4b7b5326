import type { Reader } from '../../db.ts'
import { type Fragment, given } from '../../sql/fragment.ts'
import { inSegments } from './segment.ts'
import { type SummaryFunction, type SummaryTable, TX_SUMS } from './summary-columns.ts'
import { type Cover, coverPeriod, type Period, toTime } from './timeframe.ts'

export type SummaryFilter = { table: SummaryTable; function: SummaryFunction; column?: string | undefined } & Period

/**
 * One value over a table. Months, days, hours and minutes come from buckets; single rows are read only for the seconds at either
 * end of the period. Empty when there are no rows to take it from (count: `0`).
 */
export async function readSummary(sql: Reader, { table, function: fn, column = '', ...period }: SummaryFilter): Promise<string> {
  if (isEmpty(period)) return fn === 'count' ? '0' : ''
  if (fn === 'count') return countRows(sql, table, period)
  if (column === 'height' || column === 'time') return findEnd(sql, table, fn, column, period)
  if (fn === 'min' || fn === 'max') return findExtreme(sql, table, fn, column, coverPeriod(period))
  return addUp(sql, table, fn, column, coverPeriod(period))
}

const isEmpty = ({ from, to }: Period) => from !== undefined && to !== undefined && from >= to

async function countRows(sql: Reader, table: SummaryTable, period: Period): Promise<string> {
  if (table === 'validator') {
    const [row] = await sql<{ value: string }[]>`
      select count(*)::text as value
      from validator
      where true ${inPeriod(sql, sql`creation_time`, period)}`
    return row!.value
  }
  const { segments, edges } = coverPeriod(period)
  const [row] = await sql<{ value: string }[]>`
    select coalesce(sum(count), 0)::text as value
    from (
      select ${countOf(sql, table, sql`blocks`)} as count from block_bucket where ${inSegments(sql, segments)}
      union all
      select ${countOf(sql, table, sql`1`)} from block where ${inEdges(sql, edges)}
    ) part`
  return row!.value
}

/** Count of a table in a row of `block_bucket` (or, with `blocks` = 1, of `block`) counts for a table. */
function countOf(sql: Reader, table: SummaryTable, blocks: Fragment): Fragment {
  switch (table) {
    case 'tx':
      return sql`tx_count`
    case 'event':
      return sql`events_count + tx_events_count`
    case 'message':
      return sql`messages_count`
    default:
      return blocks
  }
}

async function addUp(sql: Reader, table: SummaryTable, fn: 'sum' | 'avg', column: string, cover: Cover): Promise<string> {
  const name = table === 'tx' ? (TX_SUMS[column] ?? column) : column
  // Blocks hold sums of all tx columns but this one.
  const ofBlock =
    table === 'tx' && name === 'timeout_height'
      ? sql`(select sum(tx.timeout_height) from tx where tx.height = block.height)`
      : sql`${sql(name)}::numeric`
  const [row] = await sql<{ value: string | null }[]>`
    select case when count > 0 then ${fn === 'sum' ? sql`trim_scale(sum)` : sql`sum / count`} end as value
    from (
      select sum(count)::numeric as count, sum(sum) as sum
      from (
        select ${countOf(sql, table, sql`blocks`)} as count, ${sql(name)}::numeric as sum
        from block_bucket
        where ${inSegments(sql, cover.segments)}
        union all
        select ${countOf(sql, table, sql`1`)}, ${ofBlock}
        from block
        where ${inEdges(sql, cover.edges)}
      ) part
    ) total`
  return row?.value ?? ''
}

async function findExtreme(sql: Reader, table: SummaryTable, fn: 'min' | 'max', column: string, cover: Cover): Promise<string> {
  const extreme = fn === 'min' ? sql`min` : sql`max`
  const ofTx = table === 'tx'
  const single = ofTx
    ? sql`select ${extreme}(${sql(column)})::numeric from tx where ${inHeights(sql, cover.edges)}`
    : sql`select ${extreme}(${sql(column)})::numeric from block where ${inEdges(sql, cover.edges)}`
  const [row] = await sql<{ value: string | null }[]>`
    select trim_scale(${extreme}(value)) as value
    from (
      select ${extreme}(${sql(`${ofTx ? 'tx_' : ''}${column}_${fn}`)})::numeric as value
      from extreme_bucket
      where ${inSegments(sql, cover.segments)}
      union all
      ${single}
    ) part`
  return row?.value ?? ''
}

/** First or last row of a period: one index look-up, since heights, ids and times grow together. */
async function findEnd(
  sql: Reader,
  table: SummaryTable,
  fn: SummaryFunction,
  column: 'height' | 'time',
  period: Period,
): Promise<string> {
  const dir = fn === 'min' ? sql`asc` : sql`desc`
  const source = table === 'tx' ? sql`tx` : table === 'message' ? sql`message` : sql`block`
  const [row] = await sql<{ height: number; time: string }[]>`
    select height, time
    from ${source}
    where true
      ${table === 'event' ? sql`and events_count + tx_events_count > 0` : sql``}
      ${given(period.from, (from) => sql`and height >= ${heightAt(sql, from)}`)}
      ${given(period.to, (to) => sql`and height < ${heightAt(sql, to)}`)}
    order by height ${dir}
    limit 1`
  return row ? String(row[column]) : ''
}

/** The first height at or after a time; one above the head when there is none. */
function heightAt(sql: Reader, seconds: number): Fragment {
  return sql`coalesce(
    (select height from block where time >= ${toTime(seconds)} order by time limit 1),
    (select max(height) + 1 from block)
  )`
}

function inPeriod(sql: Reader, column: Fragment, { from, to }: Period): Fragment {
  return sql`
    ${given(from, (from) => sql`and ${column} >= ${toTime(from)}`)}
    ${given(to, (to) => sql`and ${column} < ${toTime(to)}`)}`
}

/** Blocks of the edges, by their time index. */
function inEdges(sql: Reader, edges: Cover['edges']): Fragment {
  return edges.reduce<Fragment>(
    (condition, { from, to }) => sql`${condition} or (block.time >= ${toTime(from)} and block.time < ${toTime(to)})`,
    sql`false`,
  )
}

/** Period as heights: txs are found by height, never by a scan of their times. */
function inHeights(sql: Reader, edges: Cover['edges']): Fragment {
  return edges.reduce<Fragment>(
    (condition, { from, to }) => sql`${condition} or (height >= ${heightAt(sql, from)} and height < ${heightAt(sql, to)})`,
    sql`false`,
  )
}
