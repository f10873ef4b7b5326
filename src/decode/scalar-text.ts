import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt'

const MAX_SECONDS = 253_402_300_799n // 9999-12-31T23:59:59Z
const MIN_SECONDS = -62_135_596_800n // 0001-01-01T00:00:00Z

/** Digits of value x 10^18 as a decimal with 18 fraction digits; text that is no integer stays as it is. */
export function formatDec(digits: string): string {
  const match = /^(-?)(\d+)$/.exec(digits)
  if (!match) return digits
  const padded = match[2]!.padStart(19, '0')
  return `${match[1]}${padded.slice(0, -18)}.${padded.slice(-18)}`
}

/** Inverse of `formatDec`; undefined when the text is no decimal of at most 18 fraction digits. */
export function parseDec(text: string): string | undefined {
  const match = /^(-?)(\d{1,78})(?:\.(\d{1,18}))?$/.exec(text)
  if (!match) return undefined
  return `${match[1]}${BigInt(match[2]! + (match[3] ?? '').padEnd(18, '0'))}`
}

/** RFC 3339 UTC, the fraction in 0, 3, 6 or 9 digits; null when it is outside the years 1 to 9999. */
export function formatTimestamp(time: Timestamp): string | null {
  const head = formatSeconds(time)
  return head === null ? null : `${head}${groupedFraction(time.nanos)}Z`
}

/** RFC 3339 UTC without trailing zeros in the fraction. */
export function formatTimestampTrimmed(time: Timestamp): string | null {
  const head = formatSeconds(time)
  if (head === null) return null
  return time.nanos === 0 ? `${head}Z` : `${head}.${String(time.nanos).padStart(9, '0').replace(/0+$/, '')}Z`
}

/** RFC 3339 UTC cut to microseconds, without trailing zeros: the form in which rows keep times. */
export function formatTimestampMicros(time: Timestamp): string | null {
  return formatTimestampTrimmed({ ...time, nanos: time.nanos - (time.nanos % 1000) })
}

function formatSeconds({ seconds, nanos }: Timestamp): string | null {
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS || nanos < 0 || nanos > 999_999_999) return null
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
}

function groupedFraction(nanos: number): string {
  if (nanos === 0) return ''
  const digits = String(nanos).padStart(9, '0')
  if (digits.endsWith('000000')) return `.${digits.slice(0, 3)}`
  return `.${digits.endsWith('000') ? digits.slice(0, 6) : digits}`
}

/** Seconds with the fraction in 0, 3, 6 or 9 digits: `3600s`, `0.500s`. */
export function formatDuration({ seconds, nanos }: Duration): string {
  const sign = seconds < 0n || nanos < 0 ? '-' : ''
  return `${sign}${seconds < 0n ? -seconds : seconds}${groupedFraction(Math.abs(nanos))}s`
}

export function durationNanos({ seconds, nanos }: Duration): bigint {
  return seconds * 1_000_000_000n + BigInt(nanos)
}

/** Nanoseconds of `3600s`, `1.5s`, `-2s`; undefined for other text. */
export function parseDuration(text: string): bigint | undefined {
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,9}))?s$/.exec(text)
  if (!match) return undefined
  const nanos = BigInt(match[2]! + (match[3] ?? '').padEnd(9, '0'))
  return match[1] ? -nanos : nanos
}

/** Seconds and nanoseconds of an RFC 3339 time in UTC or with an offset; undefined for other text. */
export function parseTimestamp(text: string): { seconds: bigint; nanos: number } | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text)
  if (!match) return undefined
  const millis = Date.parse(`${match[1]}${match[3]}`)
  if (Number.isNaN(millis)) return undefined
  return { seconds: BigInt(millis / 1000), nanos: Number((match[2] ?? '').padEnd(9, '0')) }
}
