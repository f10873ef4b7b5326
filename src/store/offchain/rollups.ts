import type { SqlPool } from '../db.ts'
import { LIST_FIELDS, TEXT_FIELDS } from '../rollups/entry.ts'

export type KnownRollup = { id: number; slug: string } & Record<string, unknown>

/** The registry as a source may change it, by slug. */
export async function readKnownRollups(sql: SqlPool): Promise<Map<string, KnownRollup>> {
  const columns = ['id', 'slug', ...TEXT_FIELDS, ...LIST_FIELDS].join(', ')
  const rows = await sql.unsafe<KnownRollup[]>(`select ${columns} from rollup`)
  return new Map(rows.map((row) => [row.slug, row]))
}
