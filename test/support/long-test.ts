import { test } from 'node:test'

/** Set by the runner for `--long`. */
export const LONG_VARIABLE = 'ASTROLABE_TEST_LONG'

const leaveOut = (() => {}) as unknown as typeof test

/** A test of the long run only: its rule has a cheaper test that every run has. */
export const longTest: typeof test = process.env[LONG_VARIABLE] ? test : leaveOut
