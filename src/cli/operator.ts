import { buildAdmin } from '../admin/server.ts'
import type { AccessService } from '../api/access-service.ts'
import { type Config, schemaOf } from '../config/schema.ts'
import { listenOrFree } from './listen.ts'
import type { NetworkApi } from './network-api.ts'
import type { Runtime } from './runtime.ts'

/** The operator's API on its own port, unless switched off. */
export async function openOperatorApi(
  config: Config,
  apis: readonly NetworkApi[],
  url: string,
  access: AccessService,
  movePort: boolean,
  { log }: Runtime,
): Promise<{ url: string; close: () => Promise<void> } | undefined> {
  if (!config.operator.enabled) return undefined
  const app = buildAdmin({
    url,
    networks: apis.map(({ network, ctx }) => ({ name: network.name, schema: schemaOf(network), db: ctx.db })),
    ring: access.parts.ring,
    onAction: (facts) => log.info(facts, 'registry changed'),
    onError: (error, facts) => log.error({ err: error, ...facts }, 'operator request failed'),
  })
  const { url: address } = await listenOrFree(app, config.operator, movePort)
  return { url: address, close: async () => app.close() }
}
