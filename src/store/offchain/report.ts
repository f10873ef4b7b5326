import type { Reader } from '../db.ts'
import { SHARED_SCHEMA } from '../migrations/migrate.ts'

export type SourceReport = { network: string; source: string; checked_at: string | null; error: string | null }

/** How every off-chain source stands, for an operator. */
export function listSourceStates(sql: Reader): Promise<SourceReport[]> {
  return sql<SourceReport[]>`
    select network, source, checked_at, error
    from ${sql(SHARED_SCHEMA)}.offchain_state
    order by network, source`
}
