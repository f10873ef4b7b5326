import { useChainDays } from './chain-age.ts'
import { useLive } from './live.ts'
import type { Point } from './parts/charts/line.ts'
import { useRoute } from './router.ts'
import type { Timeframe } from './series.ts'

const DAY = 86_400

/** Ranges of the charts of a page, in days; the first stands without a name in the address. */
const RANGES = { '30d': 30, '7d': 7, '1y': 365, all: undefined } as const

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

/** The range that the address names; undefined until the age of the chain is known. */
export function usePeriod(): Period | undefined {
  const { query } = useRoute()
  const age = useChainDays()
  const now = useLive(({ head }) => head?.last_time)
  if (age === undefined) return undefined
  const end = Math.floor(Date.parse(now ?? new Date().toISOString()) / 1000)
  const name = readRange(query)
  if (name === 'custom') {
    const from = readDay(query.get('since')) ?? end - 30 * DAY
    const to = Math.max(from, readDay(query.get('until')) ?? end) + DAY
    const days = (to - from) / DAY
    return {
      name,
      from,
      to,
      words: days === 1 ? 'in one day' : `in ${days} days`,
      days,
      hasBefore: from - (to - from) >= end - age * DAY,
    }
  }
  const days = RANGES[name]
  if (days === undefined) return { name, words: 'of all time', days: age, hasBefore: false }
  const words = name === '1y' ? 'in a year' : `in ${days} days`
  return { name, from: end - days * DAY, words, days: Math.min(days, age), hasBefore: age >= 2 * days }
}

export function readRange(query: URLSearchParams): RangeName {
  const asked = query.get('range') ?? ''
  return asked === 'custom' || asked in RANGES ? (asked as RangeName) : '30d'
}

/** Key of what is loaded for a period. The end of a range that ends now moves with every block: that alone loads nothing again. */
export const periodKey = ({ name, from, to, hasBefore }: Period): string =>
  `${name} ${hasBefore} ${name === 'custom' ? `${from} ${to}` : ''}`

function readDay(text: string | null): number | undefined {
  const second = Math.floor(Date.parse(text ?? '') / 1000)
  return Number.isFinite(second) ? second : undefined
}

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
