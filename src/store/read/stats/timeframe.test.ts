import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeededRandom } from '../../../lib/random.ts'
import { DAY, HOUR, MINUTE, MONTH } from '../../state/bucket.ts'
import { ceilTo, coverPeriod, floorTo, type Segment, type Timeframe, toTime } from './timeframe.ts'

const seconds = (time: string) => Date.parse(time) / 1000

test('buckets start at UTC borders, weeks on Monday', () => {
  const at = seconds('2026-11-15T02:36:47Z')
  const starts = (['hour', 'day', 'week', 'month', 'year'] as Timeframe[]).map((timeframe) => toTime(floorTo(timeframe, at)))
  assert.deepEqual(starts, [
    '2026-11-15T02:00:00Z',
    '2026-11-15T00:00:00Z',
    '2026-11-09T00:00:00Z',
    '2026-11-01T00:00:00Z',
    '2026-01-01T00:00:00Z',
  ])
})

test('a bucket start is its own floor and ceiling, any other second lies between two of them', () => {
  const random = createSeededRandom(3)
  for (const timeframe of ['hour', 'day', 'week', 'month', 'year'] as Timeframe[])
    for (let i = 0; i < 500; i++) {
      const at = Math.floor(random() * 4e9)
      const [floor, ceil] = [floorTo(timeframe, at), ceilTo(timeframe, at)]
      assert.ok(floor <= at && at <= ceil)
      assert.equal(ceilTo(timeframe, floor), floor)
      assert.equal(floorTo(timeframe, ceil), ceil)
      assert.ok(floor === at ? ceil === at : floorTo(timeframe, ceil - 1) === floor)
    }
})

const LENGTHS = { [MINUTE]: 'minute', [HOUR]: 'hour', [DAY]: 'day', [MONTH]: 'month' } as const

test('a period is covered once and without gaps by whole buckets and two short ends', () => {
  const random = createSeededRandom(5)
  for (let i = 0; i < 2000; i++) {
    const from = Math.floor(1.6e9 + random() * 2e8)
    const to = from + Math.floor(10 ** (random() * 8.5))
    const { segments, edges } = coverPeriod({ from, to })
    const parts = [...segments, ...edges].toSorted((a, b) => a.from! - b.from!)
    let at = from
    for (const part of parts) {
      assert.equal(part.from, at)
      assert.ok(part.to! > part.from!)
      at = part.to!
    }
    assert.equal(at, to)
    for (const { frame, from: start, to: end } of segments) {
      assert.equal(floorTo(LENGTHS[frame], start!), start)
      assert.equal(floorTo(LENGTHS[frame], end!), end)
    }
    assert.ok(edges.length <= 2 && edges.every((edge) => edge.to - edge.from < 60))
    assert.ok(bucketsIn(segments, MINUTE) <= 118 && bucketsIn(segments, HOUR) <= 46 && bucketsIn(segments, DAY) <= 60)
  }
})

function bucketsIn(segments: Segment[], frame: typeof MINUTE | typeof HOUR | typeof DAY): number {
  const length = { [MINUTE]: 60, [HOUR]: 3600, [DAY]: 86_400 }[frame]
  return segments.filter((segment) => segment.frame === frame).reduce((sum, { from, to }) => sum + (to! - from!) / length, 0)
}

test('an open period ends in months without end', () => {
  assert.deepEqual(coverPeriod({}), { segments: [{ frame: MONTH, from: undefined, to: undefined }], edges: [] })
  const { segments, edges } = coverPeriod({ from: seconds('2026-11-15T02:36:47Z') })
  assert.deepEqual(edges, [{ from: seconds('2026-11-15T02:36:47Z'), to: seconds('2026-11-15T02:37:00Z') }])
  assert.deepEqual(segments.at(-1), { frame: MONTH, from: seconds('2026-12-01T00:00:00Z'), to: undefined })
})

test('a period that ends before it begins is empty', () => {
  assert.deepEqual(coverPeriod({ from: 20, to: 10 }), { segments: [], edges: [] })
})
