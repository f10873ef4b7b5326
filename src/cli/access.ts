import { resolve } from 'node:path'
import { type AccessService, startAccess } from '../access/service.ts'
import { type AccessDb, openAccessDb } from '../access/store/db.ts'
import type { KeySecrets } from '../access/store/keys.ts'
import { checkPepper, loadPepper } from '../access/store/pepper.ts'
import type { Config } from '../config/schema.ts'
import { createAccessEvents, createAccessTrouble } from '../observability/observers.ts'
import { migrate, SHARED_SCHEMA } from '../store/migrate.ts'
import type { Runtime } from './runtime.ts'
import type { Telemetry } from './telemetry.ts'

/** Keys, plans and limits of this process. */
export async function openAccess(
  config: Config,
  { url, copyUrl }: { url: string; copyUrl?: string | undefined },
  { metrics }: Telemetry,
  { log }: Runtime,
): Promise<AccessService> {
  return startAccess({
    url,
    copyUrl,
    config: config.access,
    attribution: config.attribution,
    pepper: await pepperOf(config),
    events: createAccessEvents(metrics),
    onTrouble: createAccessTrouble(metrics, log),
  })
}

/** The table of keys, brought up to date, and the secrets that its keys are made with. */
export async function openKeys(
  config: Config,
  url: string,
  connections: number,
): Promise<{ sql: AccessDb; secrets: KeySecrets }> {
  await migrate(url, SHARED_SCHEMA, 'shared')
  const pepper = await pepperOf(config)
  const sql = openAccessDb(url, SHARED_SCHEMA, connections)
  try {
    await checkPepper(sql, pepper)
  } catch (error) {
    await sql.end({ timeout: 2 })
    throw error
  }
  return { sql, secrets: { environment: config.access.environment, pepper } }
}

const pepperOf = ({ access, data }: Config): Promise<string> => loadPepper(access.pepper, resolve(data))
