import { LIST_FIELDS, TEXT_FIELDS } from '../rollups/entry.ts'
import type { OffchainDb } from './db.ts'

export type KnownRollup = { id: number; slug: string } & Record<string, unknown>

/** The registry as a source may change it, by slug. */
export async function readKnownRollups(sql: OffchainDb): Promise<Map<string, KnownRollup>> {
  const columns = ['id', 'slug', ...TEXT_FIELDS, ...LIST_FIELDS]
  const rows = await sql<KnownRollup[]>`select ${sql(columns)} from rollup`
  return new Map(rows.map((row) => [row.slug, row]))
}
