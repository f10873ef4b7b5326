import type { Config } from '../../config/schema.ts'
import { buildOperatorApi, type OperatorNetwork } from '../../operator/server.ts'
import { registerOperatorPage } from '../../page/page.ts'
import type { KeyRing } from '../../store/access/key-ring.ts'
import { listenOrFree } from './listen.ts'
import type { Runtime } from './runtime.ts'

export type OperatorParts = {
  networks: OperatorNetwork[]
  ring: KeyRing
  /** take a free port when the configured one is taken */
  movePort: boolean
}

/** The operator's API on its own port. */
export async function openOperatorApi(
  { operator }: Config,
  { networks, ring, movePort }: OperatorParts,
  { log }: Runtime,
): Promise<{ url: string; close: () => Promise<void> }> {
  const app = buildOperatorApi({
    networks,
    ring,
    onAction: (facts) => log.info(facts, 'registry changed'),
    onError: (error, facts) => log.error({ err: error, ...facts }, 'operator request failed'),
  })
  registerOperatorPage(app)
  const { url: address } = await listenOrFree(app, operator, movePort)
  return { url: address, close: async () => app.close() }
}
