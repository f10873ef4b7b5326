import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alignPeriod, fittingTimeframe, type Period, splitPoints, withBefore } from './period.ts'

const at = (time: string) => Date.parse(time) / 1000
const period = (from: string | undefined, more: Partial<Period> = {}): Period => ({
  name: '30d',
  ...(from !== undefined && { from: at(from) }),
  words: 'in 30 days',
  days: 30,
  hasBefore: true,
  ...more,
})

test('a period begins with the bucket that holds its first second', () => {
  // 18 November 2026 is a Wednesday.
  const starts = (from: string) =>
    (['hour', 'day', 'week', 'month', 'year'] as const).map((timeframe) =>
      new Date(alignPeriod(period(from), timeframe).from! * 1000).toISOString().slice(0, 16),
    )
  assert.deepEqual(starts('2026-11-18T10:42:17Z'), [
    '2026-11-18T10:00',
    '2026-11-18T00:00',
    '2026-11-16T00:00',
    '2026-11-01T00:00',
    '2026-01-01T00:00',
  ])
  // A Sunday is the last day of its week, which began in the month and year before.
  assert.deepEqual(starts('2023-01-01T00:00:00Z'), [
    '2023-01-01T00:00',
    '2023-01-01T00:00',
    '2022-12-26T00:00',
    '2023-01-01T00:00',
    '2023-01-01T00:00',
  ])
  // The start of a bucket is its own start.
  assert.equal(starts('2026-11-16T00:00:00Z')[2], '2026-11-16T00:00')
})

test('only the beginning of a period is moved, and the whole chain has none', () => {
  const custom = period('2026-11-18T10:42:17Z', { name: 'custom', to: at('2026-11-20T00:00:00Z') })
  assert.deepEqual(alignPeriod(custom, 'day'), { ...custom, from: at('2026-11-18T00:00:00Z') })
  const all = period(undefined, { name: 'all', hasBefore: false })
  assert.deepEqual(alignPeriod(all, 'month'), all)
})

test('points of the first bucket belong to the period, the one before is compared with', () => {
  const days = ['2026-11-14', '2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18']
  const points = days.map((day, i) => ({ at: at(day), value: i }))
  const aligned = alignPeriod(period('2026-11-16T10:42:17Z', { days: 2 }), 'day')
  const split = splitPoints(points, aligned)
  assert.deepEqual(
    [split.before.map(({ value }) => value), split.points.map(({ value }) => value)],
    [
      [0, 1],
      [2, 3, 4],
    ],
  )
  assert.deepEqual(withBefore(aligned), { from: at('2026-11-14') })
  assert.deepEqual(withBefore({ ...aligned, hasBefore: false }), { from: at('2026-11-16') })
})

test('buckets are as wide as the range needs, or the next finer that there is', () => {
  const ALL = ['hour', 'day', 'week', 'month'] as const
  assert.deepEqual(
    [1, 7, 30, 365, 1000].map((days) => fittingTimeframe(days, ALL)),
    ['hour', 'hour', 'day', 'week', 'month'],
  )
  assert.equal(fittingTimeframe(365, ['hour', 'day', 'month']), 'day')
})
