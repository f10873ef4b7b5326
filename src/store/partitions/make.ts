import type pg from 'pg'
import { connectClient } from '../servers/connect.ts'
import { inTransaction } from '../servers/transaction.ts'
import { type Layout, PARTITIONED, partitionName, readLayout } from './layout.ts'

/**
 * Makes partitions up to one that holds the height `upTo`. A table is made first and attached then, for which nobody has to wait who reads
 * or writes; all of it is one transaction, so a kill leaves nothing behind.
 */
export function makePartitions(client: pg.ClientBase, upTo: number): Promise<Layout | undefined> {
  return inTransaction(client, async () => {
    const layout = await readLayout(client, { lock: true })
    if (!layout?.is_active) return undefined
    let end = layout.made_to
    for (; end <= upTo; end += layout.heights)
      for (const table of PARTITIONED) {
        const name = partitionName(table, end)
        await client.query(`create table "${name}" (like "${table}" including all)`)
        await client.query(
          `alter table "${table}" attach partition "${name}" for values from (${end}) to (${end + layout.heights})`,
        )
      }
    await client.query('update partitioning set made_to = $1', [end])
    return { ...layout, made_to: end }
  })
}

/** On its own connection: a lock that it waits for holds up nobody else. */
export async function openPartitioner(url: string, schema: string): Promise<pg.Client> {
  const client = await connectClient(url, {
    application_name: `astrolabe partitions ${schema}`,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  })
  await client.query(`set search_path to "${schema}"`)
  return client
}
