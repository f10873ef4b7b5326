import { type BlockFrame, DAY, type Frame, HOUR, MINUTE, MONTH } from '../../state/bucket.ts'

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

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400

/** Last second that is written with a year of four digits. */
const LAST_SECOND = 253_402_300_799

/** Unix seconds as a timestamp. A bucket that starts behind the last one begins with it: nothing is there. */
export function toTime(seconds: number): string {
  return new Date(Math.min(seconds, LAST_SECOND) * 1000).toISOString().replace('.000Z', 'Z')
}

type Length = Timeframe | 'minute'

/** Start of the bucket that a second falls into. */
export function floorTo(timeframe: Length, seconds: number): number {
  const date = new Date(seconds * 1000)
  switch (timeframe) {
    case 'minute':
      return seconds - mod(seconds, MINUTE_SECONDS)
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
export function ceilTo(timeframe: Length, seconds: number): number {
  const floor = floorTo(timeframe, seconds)
  if (floor === seconds) return seconds
  const date = new Date(floor * 1000)
  switch (timeframe) {
    case 'minute':
      return floor + MINUTE_SECONDS
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
export type Segment = { frame: BlockFrame; from: number | undefined; to: number | undefined }

/** A period as whole buckets, few and as large as possible, and the ends that no bucket covers: less than a minute each. */
export type Cover = { segments: Segment[]; edges: { from: number; to: number }[] }

const NAMES = { [MINUTE]: 'minute', [HOUR]: 'hour', [DAY]: 'day', [MONTH]: 'month' } as const satisfies Record<BlockFrame, Length>

export function coverPeriod({ from, to }: Period): Cover {
  if (from !== undefined && to !== undefined && from >= to) return { segments: [], edges: [] }
  const start = from === undefined ? undefined : ceilTo('minute', from)
  const end = to === undefined ? undefined : floorTo('minute', to)
  // Within one bucket.
  if (start !== undefined && end !== undefined && start > end) return { segments: [], edges: [{ from: from!, to: to! }] }
  const edges: Cover['edges'] = []
  if (from !== undefined && from < start!) edges.push({ from, to: start! })
  if (to !== undefined && end! < to) edges.push({ from: end!, to })
  return { segments: coverWith([MONTH, DAY, HOUR, MINUTE], start, end), edges }
}

function coverWith([frame, ...smaller]: BlockFrame[], from: number | undefined, to: number | undefined): Segment[] {
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

/** Everything before the start of an hour: the base of a running sum. */
export function coverBefore(seconds: number): Segment[] {
  return coverPeriod({ to: seconds }).segments
}
