import type pg from 'pg'
import type { Db } from '../db.ts'
import { connectClient } from '../servers/connect.ts'

export type DatabaseFacts = {
  /** as PostgreSQL numbers itself: 150004 */
  version: number
  text: string
  now: Date
  /** version of each schema by its migrations; undefined where nothing has been migrated yet */
  schemas: Map<string, number | undefined>
}

/** Facts about a server and its schemas. */
export async function inspectDatabase(url: string, schemas: readonly string[]): Promise<DatabaseFacts> {
  const client = await connectClient(url, { connectionTimeoutMillis: 5000 })
  try {
    const { rows } = await client.query<{ version: string; text: string; now: Date }>(
      `select current_setting('server_version_num') as version, current_setting('server_version') as text, clock_timestamp() as now`,
    )
    const { version, text, now } = rows[0]!
    const versions = new Map<string, number | undefined>()
    for (const schema of schemas) versions.set(schema, await findSchemaVersion(client, schema))
    return { version: Number(version), text, now, schemas: versions }
  } finally {
    await client.end()
  }
}

async function findSchemaVersion(client: pg.Client, schema: string): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string | null }>('select to_regclass($1)::text as name', [`"${schema}".migration`])
  if (rows[0]?.name == null) return undefined
  const found = await client.query<{ version: number }>(`select max(version) as version from "${schema}".migration`)
  return found.rows[0]?.version ?? 0
}

/** Version of the schema that a reader's connections are set to. */
export async function readSchemaVersion(db: Db): Promise<number> {
  const [row] = await db<{ version: number }[]>`select max(version) as version from migration`
  return row?.version ?? 0
}
