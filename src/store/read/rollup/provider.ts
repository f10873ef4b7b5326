import type { Reader } from '../../db.ts'

/** A pair of signer and namespace whose blobs belong to the rollup; null means any. */
export type RollupProviderRow = { address: string | null; namespace: Buffer | null }

export function listRollupProviders(sql: Reader, id: number): Promise<RollupProviderRow[]> {
  return sql<RollupProviderRow[]>`
    select encode(p.address, 'hex') as address, p.namespace
    from rollup_provider p
    join rollup r on r.id = p.rollup_id and r.verified
    where p.rollup_id = ${id}
    order by p.namespace, p.address, p.position`
}
