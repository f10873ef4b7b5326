/** Lengths of time that have rows of their own. Weeks are read from days, years from months. */
export const HOUR = 1
export const DAY = 2
export const MONTH = 3
/** Only sums and extremes of blocks: tps needs them, and a period that ends anywhere reads few single blocks. */
export const MINUTE = 0

export type Frame = typeof HOUR | typeof DAY | typeof MONTH
export type BlockFrame = Frame | typeof MINUTE

/** Starts of the buckets that a time falls into, by frame; in the form in which the state tables hold times, for they are keys there. */
export type BucketStarts = {
  hour: string
  day: string
  month: string
  framed: readonly (readonly [Frame, string])[]
  /** smallest first */
  ofBlocks: readonly (readonly [BlockFrame, string])[]
}

/** Block times are UTC texts, so that a start is a cut of the text: no calendar arithmetic per block. */
export function bucketsOf(time: string): BucketStarts {
  const minute = `${time.slice(0, 16)}:00.000000Z`
  if (last?.ofBlocks[0]?.[1] === minute) return last
  const hour = `${time.slice(0, 13)}:00:00.000000Z`
  const day = `${time.slice(0, 10)}T00:00:00.000000Z`
  const month = `${time.slice(0, 7)}-01T00:00:00.000000Z`
  const framed = [
    [HOUR, hour],
    [DAY, day],
    [MONTH, month],
  ] as const
  last = { hour, day, month, framed, ofBlocks: [[MINUTE, minute], ...framed] }
  return last
}

/** Neighbouring blocks mostly share the minute. */
let last: BucketStarts | undefined
