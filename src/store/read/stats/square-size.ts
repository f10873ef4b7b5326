import type { Reader } from '../../db.ts'
import { type Period, toTime } from './timeframe.ts'

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
