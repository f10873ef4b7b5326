/**
 * RFC 3339 UTC with exactly six fraction digits, rounded down: `2026-11-15T02:26:34.966225Z`. In this form texts order like times
 * (until the year 9999), and block times keep the microseconds that a `Date` would drop.
 */
export function toMicroTime(time: string): string {
  if (time.length === 27 && time.charCodeAt(19) === 46) return time
  const dot = time.indexOf('.')
  if (dot < 0) return `${time.slice(0, 19)}.000000Z`
  return `${time.slice(0, 19)}.${time
    .slice(dot + 1, -1)
    .slice(0, 6)
    .padEnd(6, '0')}Z`
}

/** Microseconds since 1970: exact from the year 1685 to 2255, and still in order outside of these. */
export function microsOf(time: string): number {
  return Date.parse(`${time.slice(0, 19)}Z`) * 1000 + Number(toMicroTime(time).slice(20, 26))
}

/** Inverse of `microsOf`, without trailing zeros. */
export function timeOfMicros(micros: number): string {
  const millis = Math.floor(micros / 1000)
  const time = `${new Date(millis).toISOString().slice(0, 23)}${String(micros - millis * 1000).padStart(3, '0')}Z`
  return time.replace(/\.?0+Z$/, 'Z')
}

/** Milliseconds between two times, rounded down. */
export function millisBetween(from: string, to: string): number {
  return Math.floor((microsOf(to) - microsOf(from)) / 1000)
}
