import { type AccessService, startAccess } from '../../access/service.ts'
import type { Config } from '../../config/schema.ts'
import { createAccessEvents, createAccessTrouble } from '../../observability/observers.ts'
import { knownNamesOf, pepperOf } from './key-table.ts'
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
    shopUrl: config.paid.enabled ? config.paid.base_url : undefined,
    attribution: config.attribution,
    pepper: await pepperOf(config),
    knownNames: knownNamesOf(config),
    events: createAccessEvents(metrics),
    onTrouble: createAccessTrouble(metrics, log),
  })
}
