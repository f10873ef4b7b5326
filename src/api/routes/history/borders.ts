import { ceilTo, floorTo, type Period } from '../../../store/read/stats/timeframe.ts'

/** Buckets of one answer. */
const MAX_BUCKETS = 1000

/**
 * The borders of the buckets that a period has between the first and the last block of interest, oldest first; the newest thousand
 * buckets when there are more.
 */
export function bordersOf(timeframe: 'hour' | 'day' | 'month', period: Period, first: string, last: string): number[] {
  const start = ceilTo(timeframe, Math.max(period.from ?? 0, floorTo(timeframe, secondsOf(first))))
  const end = Math.min(period.to ?? Number.POSITIVE_INFINITY, secondsOf(last) + 1)
  const borders: number[] = []
  let at = ceilTo(timeframe, end)
  while (at >= start && borders.length <= MAX_BUCKETS) {
    borders.push(at)
    at = floorTo(timeframe, at - 1)
  }
  return borders.length < 2 ? [] : borders.reverse()
}

function secondsOf(time: string): number {
  return Math.floor(Date.parse(time) / 1000)
}
