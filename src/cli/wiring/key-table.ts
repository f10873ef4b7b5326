import { resolve } from 'node:path'
import { AccountManager } from '../../access/accounts.ts'
import type { KnownNames } from '../../access/restrictions.ts'
import { listOperationIds } from '../../client-generator/describe.ts'
import type { Config } from '../../config/schema.ts'
import type { KeySecrets } from '../../store/access/keys.ts'
import { checkPepper, loadPepper } from '../../store/access/pepper.ts'
import { openPool, type SqlPool } from '../../store/db.ts'
import { migrate, SHARED_SCHEMA } from '../../store/migrations/migrate.ts'

export type KeyTable = { sql: SqlPool; secrets: KeySecrets; accounts: AccountManager }

/** The table of keys, brought up to date, with the secrets that its keys are made with and the manager that changes it. */
export async function openKeys(config: Config, url: string, connections: number): Promise<KeyTable> {
  await migrate(url, SHARED_SCHEMA, 'shared')
  const pepper = await pepperOf(config)
  const sql = openPool('access', { url, schema: SHARED_SCHEMA, max: connections })
  try {
    await checkPepper(sql, pepper)
  } catch (error) {
    await sql.end({ timeout: 2 })
    throw error
  }
  const { environment, plans, rotation_grace_hours: graceHours } = config.access
  const secrets = { environment, pepper }
  const names = plans.map(({ name }) => name)
  return {
    sql,
    secrets,
    accounts: new AccountManager({ sql, secrets, plans: names, knownNames: knownNamesOf(config), graceHours }),
  }
}

/** Networks and operations that a key can be restricted to. */
export const knownNamesOf =
  ({ networks }: Config): (() => KnownNames) =>
  () => ({ networks: new Set(networks.map(({ name }) => name)), operations: listOperationIds() })

export const pepperOf = ({ access, data }: Config): Promise<string> => loadPepper(access.pepper, resolve(data))
