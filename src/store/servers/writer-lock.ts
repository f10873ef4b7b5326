import type pg from 'pg'

const LOCK_CLASS = 0x617374 // "ast"
const REGISTRY_CLASS = 0x726567 // "reg"
const SEAL_CLASS = 0x736567 // "seg"
const PARTITION_CLASS = 0x706172 // "par"

/** Makes the session of `client` the one writer of a schema, for as long as it lasts (I4). */
export const tryWriterLock = (client: pg.ClientBase, schema: string) => tryLock(client, LOCK_CLASS, schema)

/** Waits until the session is the only one that changes the rollup registry of a schema. */
export const lockRegistry = (client: pg.ClientBase, schema: string) => waitForLock(client, REGISTRY_CLASS, schema)

/** Lock for making and detaching partitions. */
export const lockPartitions = (client: pg.ClientBase, schema: string) => waitForLock(client, PARTITION_CLASS, schema)

export const tryRegistryLock = (client: pg.ClientBase, schema: string) => tryLock(client, REGISTRY_CLASS, schema)

/** Makes the session the only one that makes segments of a schema. */
export const trySealLock = (client: pg.ClientBase, schema: string) => tryLock(client, SEAL_CLASS, schema)

async function waitForLock(client: pg.ClientBase, lockClass: number, schema: string): Promise<void> {
  await client.query('select pg_advisory_lock($1, hashtext($2))', [lockClass, schema])
}

async function tryLock(client: pg.ClientBase, lockClass: number, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as locked', [
    lockClass,
    schema,
  ])
  return rows[0]!.locked
}
