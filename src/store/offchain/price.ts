import type { SqlPool } from '../db.ts'

/** One minute; decimal strings. */
export type Candle = { time: string; open: string; high: string; low: string; close: string }

/** The newest minute, for plausibility and to ask for what came after it. */
export async function findLastCandle(sql: SqlPool): Promise<{ time: Date; close: string } | undefined> {
  const [row] = await sql<{ time: string; close: string }[]>`
    select time, close from price where timeframe = '1m' order by time desc limit 1`
  return row && { ...row, time: new Date(row.time) }
}

/** Keeps minutes and makes the hours and days they belong to again: first open, highest high, lowest low, last close. */
export async function saveCandles(sql: SqlPool, candles: readonly Candle[]): Promise<boolean> {
  if (candles.length === 0) return false
  return sql.begin(async (tx) => {
    const written = await tx<{ time: string }[]>`
      insert into price as p (timeframe, time, open, high, low, close)
      select '1m', time, open, high, low, close
      from unnest(${candles.map(({ time }) => time)}::timestamptz[], ${candles.map(({ open }) => open)}::numeric[],
                  ${candles.map(({ high }) => high)}::numeric[], ${candles.map(({ low }) => low)}::numeric[],
                  ${candles.map(({ close }) => close)}::numeric[]) as c(time, open, high, low, close)
      on conflict (timeframe, time) do update
      set open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close
      where row(p.open, p.high, p.low, p.close) is distinct from row(excluded.open, excluded.high, excluded.low, excluded.close)
      returning time`
    if (written.length === 0) return false
    const times = written.map(({ time }) => time)
    for (const [timeframe, unit] of [
      ['1h', 'hour'],
      ['1d', 'day'],
    ] as const)
      await tx`
        insert into price (timeframe, time, open, high, low, close)
        select ${timeframe}, touched.start, (array_agg(m.open order by m.time))[1], max(m.high), min(m.low),
               (array_agg(m.close order by m.time desc))[1]
        from (select distinct date_trunc(${unit}, t) as start from unnest(${times}::timestamptz[]) as t) touched
        join price m on m.timeframe = '1m' and m.time >= touched.start and m.time < touched.start + ${`1 ${unit}`}::interval
        group by touched.start
        on conflict (timeframe, time) do update
        set open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close`
    return true
  })
}
