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

/** Milliseconds between two times, rounded down. */
export function millisBetween(from: string, to: string): number {
  const micros = (time: string) => BigInt(Date.parse(`${time.slice(0, 19)}Z`)) * 1000n + BigInt(toMicroTime(time).slice(20, 26))
  return Number((micros(to) - micros(from)) / 1000n)
}
