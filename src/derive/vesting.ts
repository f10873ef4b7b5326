import type { VestingEffect } from '../types/effects.ts'
import type { AddressHex } from '../types/facts.ts'
import { toTime } from './time.ts'

export type VestingSchedule = {
  type: VestingEffect['type']
  /** utia */
  amount: bigint
  /** unix seconds; 0 and the largest number mean "none" */
  start: bigint
  end: bigint
  /** lengths in seconds, one after the other from the start */
  steps: readonly { length: bigint; amount: bigint }[]
}

const NEVER = 2n ** 63n - 1n

function toVestingTime(seconds: bigint): string | null {
  return seconds === 0n || seconds === NEVER ? null : (toTime(seconds) ?? null)
}

/** `time`: that of the block, with which a continuous schedule without a start begins. */
export function toVesting(address: AddressHex, schedule: VestingSchedule, time: string): VestingEffect {
  const { type, amount, start, end } = schedule
  const vesting: VestingEffect = { kind: 'vesting', address, type, amount, startTime: null, endTime: null, periods: [] }
  switch (type) {
    case 'continuous':
      return { ...vesting, startTime: toVestingTime(start) ?? time, endTime: toVestingTime(end) }
    case 'delayed':
      return { ...vesting, endTime: toVestingTime(end) }
    case 'periodic': {
      const periods = toPeriods(schedule)
      return { ...vesting, startTime: toVestingTime(start), endTime: toVestingTime(end) ?? periods.at(-1)?.time ?? null, periods }
    }
    case 'permanent':
      return vesting
  }
}

/** A period that ends beyond all calendars is left out. */
function toPeriods({ start, steps }: VestingSchedule): VestingEffect['periods'] {
  const periods: VestingEffect['periods'] = []
  let end = start
  for (const { length, amount } of steps) {
    end += length
    const time = toTime(end)
    if (time !== undefined) periods.push({ time, amount })
  }
  return periods
}
