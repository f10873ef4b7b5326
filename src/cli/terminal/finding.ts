/** One thing that `doctor` looked at. `warn`: it works, but somebody should know. */
export type Finding = { level: 'ok' | 'warn' | 'fail'; what: string; detail?: string }

export const CLOCK_SECONDS = 5

/** Ages, limits and payments are told by this machine's clock. */
export function checkClock(theirs: Date, whose: string): Finding {
  const apart = Math.round(Math.abs(theirs.getTime() - Date.now()) / 1000)
  return apart <= CLOCK_SECONDS
    ? { level: 'ok', what: 'clock', detail: `within ${CLOCK_SECONDS} s of ${whose}` }
    : { level: 'warn', what: 'clock', detail: `${apart} s apart from ${whose}: set this machine's time (NTP)` }
}
