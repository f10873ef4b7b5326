import type { OffchainConfig } from '../../config/offchain-schema.ts'
import type { Json } from '../../types/effects.ts'
import type { SqlPool } from '../db.ts'

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
