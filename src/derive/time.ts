/** Times travel as RFC 3339 UTC text with at most 6 fraction digits: what PostgreSQL keeps. */

const FRACTION_START = '2026-11-15T02:25:24'.length

/** Cuts, never rounds: a rounded time could lie after the next block. */
export function cutToMicros(time: string): string {
  if (time.length <= FRACTION_START + 8 || time[FRACTION_START] !== '.') return time
  return `${time.slice(0, FRACTION_START + 7)}Z`
}

/** A time the chain wrote as text; undefined when it is none or the chain's zero time, which means "not set". */
export function parseTime(text: string | undefined): string | undefined {
  if (text === undefined || !text.endsWith('Z') || text.startsWith('0001-01-01T00:00:00') || Number.isNaN(Date.parse(text)))
    return undefined
  return cutToMicros(text)
}

const NANOS_PER_SECOND = 1_000_000_000n
/** 0001-01-01 and the end of 9999: what RFC 3339 can write. */
const FIRST_SECOND = -62_135_596_800n
const LAST_SECOND = 253_402_300_799n

export function toTime(seconds: bigint, nanos = 0): string | undefined {
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0 || nanos > 999_999_999) return undefined
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, FRACTION_START)
  const micros = Math.floor(nanos / 1000)
  return micros === 0 ? `${whole}Z` : `${whole}.${String(micros).padStart(6, '0')}Z`
}

/** undefined for 0, which the chain uses for "none". */
export function fromUnixNanos(nanos: bigint): string | undefined {
  return nanos <= 0n ? undefined : toTime(nanos / NANOS_PER_SECOND, Number(nanos % NANOS_PER_SECOND))
}
