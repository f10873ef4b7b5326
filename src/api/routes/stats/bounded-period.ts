import type { Period } from '../../../store/read/stats/timeframe.ts'
import { BadRequest } from '../../http/errors.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/** Length of a bucket, the shortest where they differ, and what is read where no beginning is given. */
const LENGTHS = {
  hour: { bucket: HOUR, byDefault: DAY },
  day: { bucket: DAY, byDefault: 30 * DAY },
  month: { bucket: 28 * DAY, byDefault: 365 * DAY },
}

const MOST_BUCKETS = 1000

/** A period with both ends, for answers with many rows in each bucket. `now`: the time of the head. */
export function boundedPeriod(timeframe: keyof typeof LENGTHS, { from, to }: Period, now: string): { from: number; to: number } {
  const { bucket, byDefault } = LENGTHS[timeframe]
  const end = to ?? Math.ceil(Date.parse(now) / 1000) + 1
  const start = from ?? Math.max(0, end - byDefault)
  if ((end - start) / bucket > MOST_BUCKETS)
    throw new BadRequest(`from must be at most ${MOST_BUCKETS} buckets of a ${timeframe} before the end`, 'from')
  return { from: start, to: end }
}
