import { useChainDays } from './chain-age.ts'
import { DAY, type Period, RANGES, type RangeName } from './figures/period.ts'
import { useLive } from './live.ts'
import { useRoute } from './router.ts'

/** The range that the address names; undefined until the age of the chain is known. */
export function usePeriod(): Period | undefined {
  const { query } = useRoute()
  const age = useChainDays()
  const now = useLive(({ head }) => head?.last_time)
  if (age === undefined) return undefined
  const end = Math.floor(Date.parse(now ?? new Date().toISOString()) / 1000)
  const name = readRange(query)
  if (name === 'custom') {
    const from = readDay(query.get('since')) ?? end - 30 * DAY
    const to = Math.max(from, readDay(query.get('until')) ?? end) + DAY
    const days = (to - from) / DAY
    return {
      name,
      from,
      to,
      words: days === 1 ? 'in one day' : `in ${days} days`,
      days,
      hasBefore: from - (to - from) >= end - age * DAY,
    }
  }
  const days = RANGES[name]
  if (days === undefined) return { name, words: 'of all time', days: age, hasBefore: false }
  const words = name === '1y' ? 'in a year' : `in ${days} days`
  return { name, from: end - days * DAY, words, days: Math.min(days, age), hasBefore: age >= 2 * days }
}

export function readRange(query: URLSearchParams): RangeName {
  const asked = query.get('range') ?? ''
  return asked === 'custom' || asked in RANGES ? (asked as RangeName) : '30d'
}

function readDay(text: string | null): number | undefined {
  const second = Math.floor(Date.parse(text ?? '') / 1000)
  return Number.isFinite(second) ? second : undefined
}
