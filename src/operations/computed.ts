import { listRollupPfbs } from '../store/read/rollup/list.ts'
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

export const ROLLUP_ORDERS = ['blobs_count', 'size', 'pfb_count', 'last_message_time'] as const

type Rollup = { id: number } & Record<string, unknown>
type Page = { limit: number; offset: number }

/** Rollups are curated, hence few. */
const ALL = { limit: 100_000, offset: 0 }

export async function listRollups(key: KeyRoutes, order: (typeof ROLLUP_ORDERS)[number], page: Page): Promise<unknown> {
  if (order === 'pfb_count') return listByPfbCount(key, page)
  return key.call('/v1/rollup', { query: { sort_by: order === 'last_message_time' ? 'time' : order, ...page } })
}

/** The one order that no list of the key surface has. */
async function listByPfbCount({ call, db }: KeyRoutes, { limit, offset }: Page): Promise<Rollup[]> {
  const rows = await listRollupPfbs(db)
  const counts = new Map(rows.map(({ rollup_id, pfb_count }) => [rollup_id, pfb_count]))
  const rollups = (await call('/v1/rollup', { query: ALL })) as Rollup[]
  const counted = rollups.map((rollup) => ({ ...rollup, pfb_count: counts.get(rollup.id) ?? 0 }))
  counted.sort((a, b) => b.pfb_count - a.pfb_count || b.id - a.id)
  return counted.slice(offset, offset + limit)
}
