import type { Inputs, KeyAnswer, KeySurface } from './operation.ts'

export const TIMEFRAMES = ['hour', 'day', 'month'] as const

/** Every name is a series of the key surface. */
export function askSeries(key: KeySurface, { name, timeframe, ...period }: Inputs): Promise<KeyAnswer> {
  return key.get(`/v1/stats/series/${name}/${timeframe}`, period)
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
