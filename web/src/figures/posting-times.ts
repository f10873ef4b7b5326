import type { DistributionItem } from '../../../src/client/gen/operations.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour))
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** A row for every hour of the day or weekday: the API leaves out those without blobs. */
export function postingTimes(rows: readonly DistributionItem[], timeframe: 'hour' | 'day'): { name: string; value: number }[] {
  const values = new Map(rows.map(({ name, value }) => [name, Number(value)]))
  return (timeframe === 'hour' ? HOURS : WEEKDAYS).map((name) => ({
    name: timeframe === 'hour' ? `${name.padStart(2, '0')}:00` : name,
    value: values.get(name) ?? 0,
  }))
}
