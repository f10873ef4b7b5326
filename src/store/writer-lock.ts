import type pg from 'pg'

const LOCK_CLASS = 0x617374 // "ast"

/** Makes the session of `client` the one writer of a schema, for as long as it lasts (I4). */
export async function tryWriterLock(client: pg.ClientBase, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as locked', [
    LOCK_CLASS,
    schema,
  ])
  return rows[0]!.locked
}
