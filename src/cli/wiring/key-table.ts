import { resolve } from 'node:path'
import type { Config } from '../../config/schema.ts'
import type { KeySecrets } from '../../store/access/keys.ts'
import { checkPepper, loadPepper } from '../../store/access/pepper.ts'
import { openPool, type SqlPool } from '../../store/db.ts'
import { migrate, SHARED_SCHEMA } from '../../store/migrations/migrate.ts'

/** The table of keys, brought up to date, and the secrets that its keys are made with. */
export async function openKeys(config: Config, url: string, connections: number): Promise<{ sql: SqlPool; secrets: KeySecrets }> {
  await migrate(url, SHARED_SCHEMA, 'shared')
  const pepper = await pepperOf(config)
  const sql = openPool('access', { url, schema: SHARED_SCHEMA, max: connections })
  try {
    await checkPepper(sql, pepper)
  } catch (error) {
    await sql.end({ timeout: 2 })
    throw error
  }
  return { sql, secrets: { environment: config.access.environment, pepper } }
}

export const pepperOf = ({ access, data }: Config): Promise<string> => loadPepper(access.pepper, resolve(data))
