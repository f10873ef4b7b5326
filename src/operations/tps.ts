import type { KeyRoutes } from './operation.ts'

export const WINDOW_SECONDS = { '1m': 60, '5m': 300, '1h': 3600, '24h': 86_400 } as const
export type Window = keyof typeof WINDOW_SECONDS

const OVERVIEW = '/v1/stats/tps'
const SUMMARY = '/v1/stats/summary/:table/:function'
export const TPS_ROUTES = [OVERVIEW, SUMMARY]

/** Txs per second over the whole seconds of a window that ends with the second of the last block ("now" of all answers). */
export async function findTps({ call, head }: KeyRoutes, window: Window): Promise<object | undefined> {
  const now = head()?.last_time
  if (now === undefined) return undefined
  const seconds = WINDOW_SECONDS[window]
  const end = Math.floor(Date.parse(now) / 1000) + 1
  const [overview, counted] = await Promise.all([
    call(OVERVIEW),
    call(SUMMARY, { params: { table: 'block_stats', function: 'sum' }, query: { column: 'tx_count', from: end - seconds } }),
  ])
  const txCount = Number(counted || 0)
  return { ...(overview as object), window, tps: txCount / seconds, tx_count: txCount }
}
