import { toTime } from './time.ts'

const NEVER = 2n ** 63n - 1n

/** Unix seconds of a vesting schedule; 0 and the largest number mean "none". */
export function toVestingTime(seconds: bigint): string | null {
  return seconds === 0n || seconds === NEVER ? null : (toTime(seconds) ?? null)
}

/** Each period ends `length` seconds after the one before. One that ends beyond all calendars is left out. */
export function toPeriods(
  start: bigint,
  steps: readonly { length: bigint; amount: bigint }[],
): { time: string; amount: bigint }[] {
  const periods: { time: string; amount: bigint }[] = []
  let end = start
  for (const { length, amount } of steps) {
    end += length
    const time = toTime(end)
    if (time !== undefined) periods.push({ time, amount })
  }
  return periods
}
