import type { SqlPool } from '../db.ts'
import { SHARED_SCHEMA } from '../migrations/migrate.ts'
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
