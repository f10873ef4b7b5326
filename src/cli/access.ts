import { resolve } from 'node:path'
import { type AccessService, startAccess } from '../api/access-service.ts'
import type { Config } from '../config/schema.ts'
import { createAccessEvents, createAccessTrouble } from '../observability/observers.ts'
import { loadPepper } from '../store/access/pepper.ts'
import type { Runtime } from './runtime.ts'
import type { Telemetry } from './telemetry.ts'

/** Keys, plans and limits of this process. */
export async function openAccess(
  config: Config,
  databaseUrl: string,
  { metrics }: Telemetry,
  { log }: Runtime,
): Promise<AccessService> {
  return startAccess({
    url: databaseUrl,
    config: config.access,
    attribution: config.attribution,
    pepper: await loadPepper(config.access.pepper, resolve(config.data)),
    events: createAccessEvents(metrics),
    onTrouble: createAccessTrouble(metrics, log),
  })
}
