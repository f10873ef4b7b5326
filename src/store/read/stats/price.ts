import type { Reader } from '../../db.ts'
import { within } from './segment.ts'
import type { Period } from './timeframe.ts'

export type PriceRow = { time: string; open: string; high: string; low: string; close: string }

/** The newest one-minute candle. */
export async function findCurrentPrice(sql: Reader): Promise<PriceRow | undefined> {
  const [row] = await sql<PriceRow[]>`
    select time, ${candle(sql)}
    from price
    where timeframe = '1m'
    order by time desc
    limit 1`
  return row
}

/** The newest hundred candles of a period, newest first. */
export function listPrices(
  sql: Reader,
  { timeframe, ...period }: { timeframe: '1m' | '1h' | '1d' } & Period,
): Promise<PriceRow[]> {
  return sql<PriceRow[]>`
    select time, ${candle(sql)}
    from price
    where timeframe = ${timeframe} ${within(sql, period)}
    order by time desc
    limit 100`
}

function candle(sql: Reader) {
  return sql`trim_scale(open) as open, trim_scale(high) as high, trim_scale(low) as low, trim_scale(close) as close`
}
