import type { Reader } from '../../db.ts'
import { type Fragment, given } from '../../sql/fragment.ts'
import { type Period, type Segment, toTime } from './timeframe.ts'

/** `and time >= … and time < …` over bucket starts. */
export function within(sql: Reader, { from, to }: Period): Fragment {
  return sql`
    ${given(from, (from) => sql`and time >= ${toTime(from)}`)}
    ${given(to, (to) => sql`and time < ${toTime(to)}`)}`
}

/** The rows of some segments, as one condition. */
export function inSegments(sql: Reader, segments: Segment[]): Fragment {
  return segments.reduce<Fragment>(
    (condition, segment) => sql`${condition} or (frame = ${segment.frame} ${within(sql, segment)})`,
    sql`false`,
  )
}
