import type pg from 'pg'
import { countCommit } from '../servers/head-notice.ts'
import { type RollupProvider, RollupRegistry } from './rollups.ts'

/** Which blobs belong to whom, as it is now; `version` is that of the head row. */
export async function readVerified(client: pg.ClientBase, version = 0): Promise<RollupRegistry> {
  const { rows } = await client.query<RollupProvider>(
    `select p.rollup_id as "rollupId", encode(p.address, 'hex') as address, encode(p.namespace, 'hex') as namespace
     from rollup_provider p join rollup r on r.id = p.rollup_id where r.verified`,
  )
  return new RollupRegistry(version, rows)
}

/** The version moves with every change: API processes drop what they kept, the writer starts over. */
export async function announceRegistry(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query('update head set registry_version = registry_version + 1')
  await countCommit(client, schema)
}
