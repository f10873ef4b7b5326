import type { OffchainConfig } from '../../config/offchain-schema.ts'
import type { Json } from '../../types/effects.ts'
import type { SqlPool } from '../db.ts'
import { SHARED_SCHEMA } from '../migrations/migrate.ts'
import { LIST_FIELDS, TEXT_FIELDS } from '../rollups/entry.ts'
import type { Sql } from '../sql/statement.ts'

export type SourceState = { position: number; checkedAt: Date | undefined; error: string | undefined }

export async function readState(sql: SqlPool, network: string, source: string): Promise<SourceState> {
  const [row] = await sql<{ position: string; checked_at: string | null; error: string | null }[]>`
    select position, checked_at, error
    from ${sql(SHARED_SCHEMA)}.offchain_state
    where network = ${network} and source = ${source}`
  return {
    position: Number(row?.position ?? 0),
    checkedAt: row?.checked_at ? new Date(row.checked_at) : undefined,
    error: row?.error ?? undefined,
  }
}

/** A look that worked. */
export async function noteSuccess(
  sql: Sql,
  network: string,
  source: string,
  { position = 0, changed }: { position?: number; changed: boolean },
): Promise<void> {
  await sql`
    insert into ${sql(SHARED_SCHEMA)}.offchain_state as s (network, source, position, checked_at, changed_at, error)
    values (${network}, ${source}, ${position}, now(), now(), null)
    on conflict (network, source) do update
    set position = excluded.position, checked_at = now(), error = null,
        changed_at = case when ${changed} then now() else s.changed_at end`
}

export async function noteFailure(sql: SqlPool, network: string, source: string, error: string): Promise<void> {
  await sql`
    insert into ${sql(SHARED_SCHEMA)}.offchain_state as s (network, source, position, error)
    values (${network}, ${source}, 0, ${error})
    on conflict (network, source) do update set error = excluded.error`
}

/** Replaces a document as a whole; false when it is the same. */
export async function saveRegistry(sql: SqlPool, name: keyof OffchainConfig, document: Json): Promise<boolean> {
  const rows = await sql`
    insert into registry as r (name, document, updated_at)
    values (${name}, ${JSON.stringify(document)}::jsonb, now())
    on conflict (name) do update
    set document = excluded.document, updated_at = excluded.updated_at
    where r.document <> excluded.document
    returning name`
  return rows.length > 0
}

export type KnownRollup = { id: number; slug: string } & Record<string, unknown>

/** The registry as a source may change it, by slug. */
export async function readKnownRollups(sql: SqlPool): Promise<Map<string, KnownRollup>> {
  const columns = ['id', 'slug', ...TEXT_FIELDS, ...LIST_FIELDS].join(', ')
  const rows = await sql.unsafe<KnownRollup[]>(`select ${columns} from rollup`)
  return new Map(rows.map((row) => [row.slug, row]))
}
