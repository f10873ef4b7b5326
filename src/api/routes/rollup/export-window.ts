export type ExportWindow = {
  /** ISO time, inclusive */ from: string /** ISO time, exclusive; absent: up to the head */
  to?: string
}

const DAY = 86_400
const MAX_SPAN_SECONDS = 30 * DAY

/**
 * The part of a rollup's history that one export gives: a month at most (docs/rules.md R41). Both bounds given and up to 30 days apart
 * stand as they are; else the month before the head, after `from`, or before `to`.
 */
export function exportWindow({ from, to }: { from?: number | undefined; to?: number | undefined }, now: string): ExportWindow {
  if (from !== undefined && to !== undefined && to - from <= MAX_SPAN_SECONDS) return { from: isoOf(from), to: isoOf(to) }
  if (from !== undefined) return { from: isoOf(from), to: addMonths(isoOf(from), 1) }
  if (to !== undefined) return { from: addMonths(isoOf(to), -1), to: isoOf(to) }
  return { from: addMonths(now, -1) }
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

/** Day of another month; a day that the month does not have runs over into the next. */
function addMonths(time: string, months: number): string {
  const date = new Date(time)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString()
}
