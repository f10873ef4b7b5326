/** As a source of prices has it. */
type Candle = { time: string; open: string; high: string; low: string; close: string }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A price for any time, in dollars: slow and fast waves, and steps that nobody foresees. */
function priceAt(hour: number): number {
  const days = (hour * HOUR_MS) / DAY_MS
  const step = ((Math.imul(hour, 2_654_435_761) >>> 8) % 1000) / 1000 - 0.5
  return 5 + 0.7 * Math.sin(days / 9) + 0.25 * Math.sin(days / 1.7) + 0.06 * step
}

/** Candles at every full hour of a period, the same for the same hours. */
export function demoPrices(from: number, to: number): Candle[] {
  const first = Math.ceil(from / HOUR_MS)
  return Array.from({ length: Math.max(0, Math.floor(to / HOUR_MS) - first + 1) }, (_, i) => {
    const hour = first + i
    const [open, close] = [priceAt(hour), priceAt(hour + 1)]
    const write = (value: number) => value.toFixed(4)
    return {
      time: new Date(hour * HOUR_MS).toISOString(),
      open: write(open),
      high: write(Math.max(open, close) + 0.01),
      low: write(Math.min(open, close) - 0.01),
      close: write(close),
    }
  })
}
