import type { Point } from '../parts/charts/line.ts'
import type { Timeframe } from '../series.ts'

/** Seconds of a day. */
export const DAY = 86_400

/** Ranges of the charts of a page, in days; the first stands without a name in the address. */
export const RANGES = { '30d': 30, '7d': 7, '1y': 365, all: undefined } as const

export type RangeName = keyof typeof RANGES | 'custom'

/** What the charts of a page show: from `from` until before `to`, unix seconds; the whole chain without them. */
export type Period = {
  name: RangeName
  from?: number
  to?: number
  /** as words after a number: "in 30 days" */
  words: string
  /** the chain is old enough that the period before it can be compared with */
  hasBefore: boolean
  /** length in days, or that of the chain where it is younger */
  days: number
}

/** Key of what is loaded for a period. The end of a range that ends now moves with every block: that alone loads nothing again. */
export const periodKey = ({ name, from, to, hasBefore }: Period): string =>
  `${name} ${hasBefore} ${name === 'custom' ? `${from} ${to}` : ''}`

/** The period from the start of its first bucket on: the times of buckets are their starts. */
export const alignPeriod = (period: Period, timeframe: Timeframe): Period =>
  period.from === undefined ? period : { ...period, from: startOf(period.from, timeframe) }

function startOf(second: number, timeframe: Timeframe): number {
  const at = new Date(second * 1000)
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  switch (timeframe) {
    case 'hour':
      return second - (second % 3600)
    case 'day':
      return second - (second % DAY)
    case 'week':
      // A week begins on Monday.
      return Date.UTC(year, month, day - ((at.getUTCDay() + 6) % 7)) / 1000
    case 'month':
      return Date.UTC(year, month) / 1000
    case 'year':
      return Date.UTC(year, 0) / 1000
  }
}

/** Inputs of a series that also has the period before, for comparison. */
export const withBefore = ({ from, to, hasBefore, days }: Period): { from?: number; to?: number } => ({
  ...(from !== undefined && { from: hasBefore ? from - days * DAY : from }),
  ...(to !== undefined && { to }),
})

/** Points of the period, and of the one before. */
export function splitPoints(points: Point[], { from }: Period): { points: Point[]; before: Point[] } {
  if (from === undefined) return { points, before: [] }
  return { points: points.filter(({ at }) => at >= from), before: points.filter(({ at }) => at < from) }
}

/** Periods shorter than this many days are shown in buckets of this size. */
const FITTING: readonly [days: number, timeframe: Timeframe][] = [
  [8, 'hour'],
  [120, 'day'],
  [800, 'week'],
  [Number.POSITIVE_INFINITY, 'month'],
]

/** The size of buckets in which so many days have a shape, or the next finer that there is. */
export function fittingTimeframe<F extends Timeframe>(days: number, timeframes: readonly F[]): F {
  const fitting = FITTING.findIndex(([limit]) => days < limit)
  for (const [, timeframe] of FITTING.slice(0, fitting + 1).reverse()) {
    const found = timeframes.find((name) => name === timeframe)
    if (found) return found
  }
  return timeframes[0]!
}
