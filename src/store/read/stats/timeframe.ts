import { DAY, type Frame, HOUR, MONTH } from '../../aggregate/bucket.ts'

export type Timeframe = 'hour' | 'day' | 'week' | 'month' | 'year'

/** `from` inclusive, `to` exclusive, unix seconds; compared with the start of a bucket. */
export type Period = { from?: number | undefined; to?: number | undefined }

/** The frame whose rows a timeframe is read from; `per` is set where several of them make one bucket. */
export const SOURCE: Record<Timeframe, { frame: Frame; per?: 'week' | 'year' }> = {
  hour: { frame: HOUR },
  day: { frame: DAY },
  week: { frame: DAY, per: 'week' },
  month: { frame: MONTH },
  year: { frame: MONTH, per: 'year' },
}

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400

/** Last second that is written with a year of four digits. */
const LAST_SECOND = 253_402_300_799

/** Unix seconds as a timestamp. A bucket that starts behind the last one begins with it: nothing is there. */
export function toTime(seconds: number): string {
  return new Date(Math.min(seconds, LAST_SECOND) * 1000).toISOString().replace('.000Z', 'Z')
}

/** Start of the bucket that a second falls into. */
export function floorTo(timeframe: Timeframe, seconds: number): number {
  const date = new Date(seconds * 1000)
  switch (timeframe) {
    case 'hour':
      return seconds - mod(seconds, HOUR_SECONDS)
    case 'day':
      return seconds - mod(seconds, DAY_SECONDS)
    case 'week':
      // 1970-01-05 was a Monday.
      return seconds - mod(seconds - 4 * DAY_SECONDS, 7 * DAY_SECONDS)
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000
    case 'year':
      return Date.UTC(date.getUTCFullYear(), 0, 1) / 1000
  }
}

/** First bucket start at or after a second. */
export function ceilTo(timeframe: Timeframe, seconds: number): number {
  const floor = floorTo(timeframe, seconds)
  if (floor === seconds) return seconds
  const date = new Date(floor * 1000)
  switch (timeframe) {
    case 'hour':
      return floor + HOUR_SECONDS
    case 'day':
      return floor + DAY_SECONDS
    case 'week':
      return floor + 7 * DAY_SECONDS
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000
    case 'year':
      return Date.UTC(date.getUTCFullYear() + 1, 0, 1) / 1000
  }
}

function mod(value: number, by: number): number {
  return ((value % by) + by) % by
}

/** Half-open range of bucket starts, in unix seconds; undefined means without end. */
export type Segment = { frame: Frame; from: number | undefined; to: number | undefined }

/** A period as whole buckets, few and as large as possible, and the ends that no bucket covers: at most an hour each. */
export type Cover = { segments: Segment[]; edges: { from: number; to: number }[] }

export function coverPeriod({ from, to }: Period): Cover {
  const hourFrom = from === undefined ? undefined : ceilTo('hour', from)
  const hourTo = to === undefined ? undefined : floorTo('hour', to)
  if (from !== undefined && to !== undefined && hourFrom! >= hourTo!)
    return { segments: [], edges: from < to ? splitAt(from, to, hourFrom!) : [] }
  const edges: Cover['edges'] = []
  if (from !== undefined && from < hourFrom!) edges.push({ from, to: hourFrom! })
  if (to !== undefined && hourTo! < to) edges.push({ from: hourTo!, to })
  return { segments: coverWith([MONTH, DAY, HOUR], hourFrom, hourTo), edges }
}

/** Two neighbouring parts of hours stay two edges, so that each is within one hour. */
function splitAt(from: number, to: number, at: number): { from: number; to: number }[] {
  return at > from && at < to
    ? [
        { from, to: at },
        { from: at, to },
      ]
    : [{ from, to }]
}

const NAMES = { [HOUR]: 'hour', [DAY]: 'day', [MONTH]: 'month' } as const satisfies Record<Frame, Timeframe>

function coverWith([frame, ...smaller]: Frame[], from: number | undefined, to: number | undefined): Segment[] {
  if (frame === undefined || (from !== undefined && to !== undefined && from >= to)) return []
  const innerFrom = from === undefined ? undefined : ceilTo(NAMES[frame], from)
  const innerTo = to === undefined ? undefined : floorTo(NAMES[frame], to)
  if (innerFrom !== undefined && innerTo !== undefined && innerFrom >= innerTo) return coverWith(smaller, from, to)
  return [
    ...(from === undefined ? [] : coverWith(smaller, from, innerFrom)),
    { frame, from: innerFrom, to: innerTo },
    ...(to === undefined ? [] : coverWith(smaller, innerTo, to)),
  ]
}

/** Everything before a bucket start: the base of a running sum. */
export function coverBefore(seconds: number): Segment[] {
  return coverPeriod({ to: seconds }).segments
}
