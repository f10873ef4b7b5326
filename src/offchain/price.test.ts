import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCandles } from './price.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')
const candle = (time: string, price: string, more: Record<string, unknown> = {}) => ({
  time,
  open: price,
  high: price,
  low: price,
  close: price,
  ...more,
})

test('candles are sorted, cut to the minute and one per minute', () => {
  const candles = parseCandles(
    [candle('2026-11-15T11:01:40Z', '5.1'), candle('2026-11-15T11:00:00Z', '5'), { ...candle('', '5.2'), time: NOW / 1000 }],
    { now: NOW, last: undefined },
  )
  assert.deepEqual(
    candles.map(({ time, close }) => [time, close]),
    [
      ['2026-11-15T11:00:00.000Z', '5'],
      ['2026-11-15T11:01:00.000Z', '5.1'],
      ['2026-11-15T12:00:00.000Z', '5.2'],
    ],
  )
  assert.deepEqual(parseCandles(null, { now: NOW, last: undefined }), [])
})

test('what cannot be true is refused as a whole', () => {
  const good = candle('2026-11-15T11:00:00Z', '5')
  const lies: [unknown, RegExp][] = [
    [{ price: 5 }, /array/],
    [[good, null], /without a time/],
    [[good, candle('yesterday', '5')], /without a time/],
    [[good, candle('2026-11-15T12:06:00Z', '5')], /future/],
    [[good, candle('2026-11-15T11:01:00Z', '-5')], /not a decimal/],
    [[good, candle('2026-11-15T11:01:00Z', '0')], /above zero/],
    [[good, candle('2026-11-15T11:01:00Z', '1e3')], /not a decimal/],
    [[good, candle('2026-11-15T11:01:00Z', '5', { high: '4' })], /high or low/],
    [[good, candle('2026-11-15T11:01:00Z', '5', { close: {} })], /not a decimal/],
    [[good, candle('2026-11-15T11:01:00Z', '51')], /factor of 10/],
    [[candle('2026-11-15T11:01:00Z', '0.4')], /factor of 10/],
  ]
  for (const [document, reason] of lies)
    assert.throws(
      () => parseCandles(document, { now: NOW, last: { time: new Date('2026-11-15T10:00:00Z'), close: '5' } }),
      reason,
      JSON.stringify(document),
    )
})
