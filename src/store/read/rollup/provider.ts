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

export type RollupColourRow = { namespace: Buffer; name: string; color: string }

/** Colours that verified rollups registered, with the namespaces they post to; a namespace of several has that of the first. */
export function listRollupColours(sql: Reader): Promise<RollupColourRow[]> {
  return sql<RollupColourRow[]>`
    select distinct on (p.namespace) p.namespace, r.name, r.color
    from rollup_provider p
    join rollup r on r.id = p.rollup_id and r.verified
    where p.namespace is not null and r.color ~* '^#[0-9a-f]{6}$'
    order by p.namespace, r.id`
}
