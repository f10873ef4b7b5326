import type { Inputs, KeyAnswer, KeySurface } from './operation.ts'

export const ROLLUP_ORDERS = ['blobs_count', 'size', 'pfb_count', 'last_message_time'] as const

type Rollup = { id: number } & Record<string, unknown>

const PAGE = 100

export async function askRollups(key: KeySurface, { sort_by = 'size', limit = '10', offset = '0' }: Inputs): Promise<KeyAnswer> {
  if (sort_by === 'pfb_count') return listByPfbCount(key, Number(limit), Number(offset))
  const order = sort_by === 'last_message_time' ? 'time' : sort_by
  return key.get('/v1/rollup', { sort: 'desc', sort_by: order, limit, offset })
}

/** Rollups are curated, hence few: reading them all costs a page or two. */
async function listByPfbCount(key: KeySurface, limit: number, offset: number): Promise<KeyAnswer> {
  const counts = await key.countRollupPfbs()
  const rollups: Rollup[] = []
  for (let start = 0; ; start += PAGE) {
    const page = await key.get('/v1/rollup', { sort: 'desc', sort_by: 'size', limit: String(PAGE), offset: String(start) })
    if (page.status !== 200) return page
    const rows = page.json as Rollup[]
    rollups.push(...rows)
    if (rows.length < PAGE) break
  }
  const counted = rollups.map((rollup) => ({ ...rollup, pfb_count: counts.get(rollup.id) ?? 0 }))
  counted.sort((a, b) => b.pfb_count - a.pfb_count || b.id - a.id)
  return { status: 200, json: counted.slice(offset, offset + limit) }
}
