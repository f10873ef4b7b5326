import type { Inputs, KeyAnswer, KeySurface } from './operation.ts'

export const SERIES_NAMES = [
  'tps',
  'bps',
  'rbps',
  'fee',
  'tx_count',
  'gas_used',
  'gas_limit',
  'gas_price',
  'blobs_count',
  'blobs_size',
  'block_time',
  'bytes_in_block',
] as const
export const TIMEFRAMES = ['hour', 'day', 'month'] as const

type Point = { time: string; value: string }

/** All names but one are the key surface's own; `rbps` (raw bytes per second) is made of its bytes per bucket. */
export async function askSeries(key: KeySurface, { name, timeframe, ...period }: Inputs): Promise<KeyAnswer> {
  if (name !== 'rbps') return key.get(`/v1/stats/series/${name}/${timeframe}`, period)
  const bytes = await key.get(`/v1/stats/series/bytes_in_block/${timeframe}`, period)
  if (bytes.status !== 200) return bytes
  const points = bytes.json as Point[]
  const seconds = timeframe === 'month' ? await countMonthSeconds(key, points) : new Map<string, number>()
  const fixed = timeframe === 'hour' ? 3600 : 86_400
  return { status: 200, json: points.map(({ time, value }) => ({ time, value: divide(value, seconds.get(time) ?? fixed) })) }
}

/** A month counts its days with data, as `bps` does (semantics.md §16): else the first and the running month would look slow. */
async function countMonthSeconds(key: KeySurface, months: Point[]): Promise<Map<string, number>> {
  const oldest = months.at(-1)
  const seconds = new Map<string, number>()
  if (!oldest) return seconds
  const days = await key.get('/v1/stats/series/bytes_in_block/day', { from: String(Date.parse(oldest.time) / 1000) })
  for (const { time } of (days.json ?? []) as Point[]) {
    const month = `${time.slice(0, 7)}-01T00:00:00Z`
    seconds.set(month, (seconds.get(month) ?? 0) + 86_400)
  }
  return seconds
}

const FRACTION_DIGITS = 6

/** Exact to the shown digits, trailing zeros removed: sums of bytes may leave 2^53. */
function divide(total: string, seconds: number): string {
  const scale = 10n ** BigInt(FRACTION_DIGITS)
  const scaled = (BigInt(total) * scale + BigInt(seconds) / 2n) / BigInt(seconds)
  const digits = scaled.toString().padStart(FRACTION_DIGITS + 1, '0')
  return `${digits.slice(0, -FRACTION_DIGITS)}.${digits.slice(-FRACTION_DIGITS)}`.replace(/\.?0+$/, '')
}

export const WINDOW_SECONDS = { '1m': 60, '5m': 300, '1h': 3600, '24h': 86_400 } as const
export type Window = keyof typeof WINDOW_SECONDS

/** Txs per second over the whole seconds of a window that ends with the second of the last block ("now" of all answers). */
export async function askTps(key: KeySurface, { window = '5m' }: Inputs): Promise<KeyAnswer> {
  const [overview, head] = await Promise.all([key.get('/v1/stats/tps'), key.get('/v1/head')])
  if (overview.status !== 200) return overview
  if (head.status !== 200) return head
  const seconds = WINDOW_SECONDS[window as Window]
  const end = Math.floor(Date.parse((head.json as { last_time: string }).last_time) / 1000) + 1
  const counted = await key.get('/v1/stats/summary/block_stats/sum', { column: 'tx_count', from: String(end - seconds) })
  if (counted.status !== 200) return counted
  const txCount = Number(counted.json || 0)
  return { status: 200, json: { ...(overview.json as object), window, tps: txCount / seconds, tx_count: txCount } }
}
