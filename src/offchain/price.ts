import { Transient } from '../lib/errors.ts'
import type { Candle } from '../store/offchain/price.ts'

const DECIMAL = /^\d{1,12}(\.\d{1,18})?$/
const MAX_CANDLES = 200_000
const MINUTE_MS = 60_000
const FUTURE_MS = 5 * MINUTE_MS
/** Price against the one before it, both ways: what is beyond is an error of the source, not a market. */
const MAX_STEP = 10
/** After a gap as long as this any price is possible. */
const MAX_GAP_MS = 7 * 86_400_000

export type CandleBounds = {
  /** candles later than this are refused; undefined for a file, which an operator wrote */
  now: number | undefined
  last: { time: Date; close: string } | undefined
}

/** All candles of an answer, sorted, one per minute; one that cannot be true spoils the whole answer. */
export function parseCandles(document: unknown, { now, last }: CandleBounds): Candle[] {
  // A source without prices says so with an empty answer.
  if (document === null) return []
  if (!Array.isArray(document)) throw refuse('an array of candles is expected')
  if (document.length > MAX_CANDLES) throw refuse(`more than ${MAX_CANDLES} candles`)
  const byMinute = new Map<number, Candle>()
  for (const item of document) {
    const time = readTime(item)
    if (now !== undefined && time > now + FUTURE_MS) throw refuse('a candle of the future')
    byMinute.set(time, { time: new Date(time).toISOString(), ...readPrices(item) })
  }
  const sorted = [...byMinute].sort(([a], [b]) => a - b)
  checkSteps(sorted, last)
  return sorted.map(([, candle]) => candle)
}

function readTime(item: unknown): number {
  const { time } = (item ?? {}) as { time?: unknown }
  const ms = typeof time === 'number' ? time * 1000 : typeof time === 'string' ? Date.parse(time) : Number.NaN
  if (!Number.isFinite(ms) || ms < 0 || ms > 8e15) throw refuse('a candle without a time')
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS
}

function readPrices(item: unknown): Omit<Candle, 'time'> {
  const { open, high, low, close } = item as Record<string, unknown>
  const prices = { open: readDecimal(open), high: readDecimal(high), low: readDecimal(low), close: readDecimal(close) }
  const [o, h, l, c] = [prices.open, prices.high, prices.low, prices.close].map(Number) as [number, number, number, number]
  if (l <= 0) throw refuse('a price that is not above zero')
  if (h < Math.max(o, c) || l > Math.min(o, c)) throw refuse('a candle whose high or low is not one')
  return prices
}

function readDecimal(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !DECIMAL.test(text)) throw refuse('a price that is not a decimal number')
  return text
}

function checkSteps(sorted: [number, Candle][], last: CandleBounds['last']): void {
  let before = last && { time: last.time.getTime(), close: Number(last.close) }
  for (const [time, { open, close }] of sorted) {
    // Candles stored after this one do not bound it.
    if (before && time > before.time && time - before.time < MAX_GAP_MS) {
      const step = Number(open) / before.close
      if (step > MAX_STEP || step < 1 / MAX_STEP) throw refuse(`a price that moved by more than a factor of ${MAX_STEP} at once`)
    }
    if (!before || time > before.time) before = { time, close: Number(close) }
  }
}

function refuse(reason: string): Transient {
  return new Transient('source_implausible', `the price source gave ${reason}`)
}
