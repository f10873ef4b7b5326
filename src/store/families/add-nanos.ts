import { toMicroTime } from '../../lib/time.ts'

/** Periods are parameters that anyone with a majority can set: what lies beyond is cut to the last time that still has four digits. */
const LAST_TIME = '9999-12-31T23:59:59.999999Z'

const microsOf = (time: string): bigint =>
  BigInt(Date.parse(`${time.slice(0, 19)}Z`)) * 1000n + BigInt(toMicroTime(time).slice(20, 26))

const LAST_MICROS = microsOf(LAST_TIME)

/** A time plus a period in nanoseconds, cut to microseconds. */
export function addNanos(time: string, nanos: bigint): string {
  const micros = microsOf(time) + nanos / 1000n
  if (micros >= LAST_MICROS) return LAST_TIME
  return `${new Date(Number(micros / 1000n)).toISOString().slice(0, 23)}${(micros % 1000n).toString().padStart(3, '0')}Z`
}
