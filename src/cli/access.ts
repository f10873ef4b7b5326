import { resolve } from 'node:path'
import { type AccessService, startAccess } from '../api/access-service.ts'
import type { Config } from '../config/schema.ts'
import { loadPepper } from '../store/access/pepper.ts'
import type { Runtime } from './runtime.ts'

/** Keys, plans and limits of this process. */
export async function openAccess(config: Config, databaseUrl: string, { log }: Runtime): Promise<AccessService> {
  return startAccess({
    url: databaseUrl,
    config: config.access,
    attribution: config.attribution,
    pepper: await loadPepper(config.access.pepper, resolve(config.data)),
    onTrouble: (what, error) => log.warn({ what, ...(error !== undefined && { err: error }) }, 'access trouble'),
  })
}
