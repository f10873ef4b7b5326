import { OperatorError } from '../../lib/errors.ts'
import type { Period } from '../../store/pay/report.ts'

const DAY_MS = 86_400_000
const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Today and the days before it. */
export const lastDays = (days: number, now = Date.now()): Period => ({ from: toDay(now - (days - 1) * DAY_MS), to: toDay(now) })

/** As the command line names it: a number of days up to today, or its first and last one. */
export function readPeriod({ days, from, to }: { days: number; from?: string; to?: string }): Period {
  if (!Number.isInteger(days) || days < 1) throw new OperatorError('bad_option', '--days takes a number from 1 up')
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && !(/^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))))
      throw new OperatorError('bad_option', `--${name} takes a day as YYYY-MM-DD`)
  const period = lastDays(days)
  const chosen = { from: from ?? (to === undefined || period.from < to ? period.from : to), to: to ?? period.to }
  if (chosen.from > chosen.to) throw new OperatorError('bad_option', '--from is after --to')
  return chosen
}
