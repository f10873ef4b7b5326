import type { Db } from '../db.ts'

export type SourceReport = { network: string; source: string; checked_at: string | null; error: string | null }

/** How every off-chain source stands, for an operator. */
export function listSourceStates(sql: Db): Promise<SourceReport[]> {
  return sql<SourceReport[]>`
    select network, source, checked_at, error
    from offchain_state
    order by network, source`
}
