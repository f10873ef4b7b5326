import { test } from 'node:test'

/** Set by the runner for `--long`. */
export const LONG_VARIABLE = 'ASTROLABE_TEST_LONG'

const isLong = Boolean(process.env[LONG_VARIABLE])

const leaveOut = (() => {}) as unknown as typeof test

/** A test of the long run only: its rule has a cheaper test that every run has. */
export const longTest: typeof test = isLong ? test : leaveOut

/** Cases of one rule: the long run tries all of them, every run `count`, spread over the list. */
export function fewOf<T>(items: readonly T[], count: number): readonly T[] {
  if (isLong || items.length <= count) return items
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]!)
}
