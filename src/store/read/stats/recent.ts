import { type MessageType, messageTypeName } from '../../../types/message-type.ts'
import type { Reader } from '../../db.ts'
import { inFirstHour, sinceDay } from './last-day.ts'
import { type Period, toTime } from './timeframe.ts'

export type Tps = { high: number; low: number; current: number; change_last_hour_pct: number }

/** `now` is the time of the head. Hours of the week before the running one; the last 60 minutes to the microsecond. */
export async function readTps(sql: Reader, now: string, windowSeconds = 3600): Promise<Tps> {
  const [week, current, before] = await Promise.all([
    sql<{ high: string | null; low: string | null }[]>`
      select max(tx_count) / 3600.0 as high, min(tx_count) / 3600.0 as low
      from block_bucket
      where frame = 1
        and time > date_trunc('hour', ${now}::timestamptz) - interval '7 days'
        and time < date_trunc('hour', ${now}::timestamptz)`,
    countTxs(sql, now, windowSeconds, 0),
    countTxs(sql, now, 2 * windowSeconds, windowSeconds),
  ])
  return {
    high: Number(week[0]?.high ?? 0),
    low: Number(week[0]?.low ?? 0),
    current: current / windowSeconds,
    change_last_hour_pct: changeOf(current, before),
  }
}

/** Txs of blocks in (now - since, now - until] seconds: whole minutes, and single blocks in the minute at either end. */
async function countTxs(sql: Reader, now: string, since: number, until: number): Promise<number> {
  const [row] = await sql<{ txs: number }[]>`
    with span as (
      select ${now}::timestamptz - make_interval(secs => ${since}) as after, ${now}::timestamptz - make_interval(secs => ${until}) as last
    ),
    minutes as (
      select date_trunc('minute', after) + interval '1 minute' as first, date_trunc('minute', last) as end, after, last from span
    )
    select (
      coalesce((select sum(m.tx_count) from block_bucket m, minutes s where m.frame = 0 and m.time >= s.first and m.time < s.end), 0)
      + coalesce((select sum(b.tx_count) from block b, minutes s where b.time > s.after and b.time < s.first and b.time <= s.last), 0)
      + coalesce((select sum(b.tx_count) from block b, minutes s where b.time >= s.end and b.time <= s.last and s.end >= s.first), 0)
    )::bigint as txs
    from minutes`
  return row!.txs
}

/** Relative change; 1 from nothing to something, 0 from nothing to nothing. */
function changeOf(current: number, before: number): number {
  if (before > 0) return (current - before) / before
  return current > 0 ? 1 : 0
}

export type Changes24h = { tx_count_24h: number; fee_24h: number; bytes_in_block_24h: number; blobs_size_24h: number }

/** Hour buckets of the last 24 hours against those of the 24 before. */
export async function readChanges24h(sql: Reader, now: string): Promise<Changes24h> {
  type Sums = { is_new: boolean; tx_count: string; fee: string; bytes_in_block: string; blobs_size: string }
  const rows = await sql<Sums[]>`
    select time > ${now}::timestamptz - interval '1 day' as is_new,
           sum(tx_count) as tx_count, sum(fee) as fee, sum(bytes_in_block) as bytes_in_block, sum(blobs_size) as blobs_size
    from block_bucket
    where frame = 1 and time > ${now}::timestamptz - interval '2 days'
    group by 1`
  const current = rows.find((row) => row.is_new)
  const before = rows.find((row) => !row.is_new)
  const change = (column: 'tx_count' | 'fee' | 'bytes_in_block' | 'blobs_size') =>
    changeOf(Number(current?.[column] ?? 0), Number(before?.[column] ?? 0))
  return {
    tx_count_24h: change('tx_count'),
    fee_24h: change('fee'),
    bytes_in_block_24h: change('bytes_in_block'),
    blobs_size_24h: change('blobs_size'),
  }
}

export type MessageCount = { name: MessageType; value: number }

/** Messages of the last 24 hours by type, most first. */
export async function countMessages24h(sql: Reader, now: string): Promise<MessageCount[]> {
  const rows = await sql<{ type: number; value: number }[]>`
    select type, sum(count)::bigint as value
    from (
      select type, count from message_bucket where time > ${sinceDay(sql, now)}
      union all
      select type, count(*) from message where ${inFirstHour(sql, now)} group by type
    ) part
    group by type
    order by value desc, type`
  return rows.map(({ type, value }) => ({ name: messageTypeName(type), value }))
}

export type SizeGroupRow = { name: string; count: number; size: number; avg_size: number }

const SIZE_GROUPS = ['<1Kb', '1-10Kb', '10-100Kb', '100Kb-1Mb', '>1Mb']

/** Blobs of the last 24 hours by size; groups without blobs stay. */
export async function listSizeGroups(sql: Reader, now: string): Promise<SizeGroupRow[]> {
  const rows = await sql<{ part: number; count: number; size: number }[]>`
    select part, sum(count)::bigint as count, sum(size)::bigint as size
    from (
      select g.part, g.count, g.size
      from blob_size_bucket b
      cross join lateral (
        values (0, b.count_1, b.size_1), (1, b.count_2, b.size_2), (2, b.count_3, b.size_3), (3, b.count_4, b.size_4), (4, b.count_5, b.size_5)
      ) as g (part, count, size)
      where b.time > ${sinceDay(sql, now)}
      union all
      select (size > 1000)::int + (size > 10000)::int + (size > 100000)::int + (size > 1000000)::int, count(*), sum(size)
      from blob
      where ${inFirstHour(sql, now)}
      group by 1
    ) part
    group by part`
  const byPart = new Map(rows.map((row) => [row.part, row]))
  return SIZE_GROUPS.map((name, i) => {
    const { count, size } = byPart.get(i) ?? { count: 0, size: 0 }
    return { name, count, size, avg_size: count === 0 ? 0 : Math.ceil(size / count) }
  })
}

export type SquareSizeRow = { square_size: number; time: string; value: string }

/** Blocks per day by square size, newest day first. One month when the period is open: the last one, or the one at the given end. */
export function listSquareSizes(sql: Reader, { now, from, to }: { now: string } & Period): Promise<SquareSizeRow[]> {
  const first =
    from !== undefined
      ? sql`${toTime(from)}::timestamptz`
      : sql`${to === undefined ? now : toTime(to)}::timestamptz - interval '1 month'`
  const end =
    to !== undefined
      ? sql`${toTime(to)}::timestamptz`
      : from !== undefined
        ? sql`${toTime(from)}::timestamptz + interval '1 month'`
        : sql`'infinity'::timestamptz`
  return sql<SquareSizeRow[]>`
    select square_size, time, blocks::text as value
    from square_bucket
    where time >= ${first} and time < ${end}
    order by time desc, square_size`
}
