import type { AccountManager } from '../../access/accounts.ts'
import type { Config } from '../../config/schema.ts'
import type { OperatorNetwork } from '../../operator/route.ts'
import { buildOperatorApi } from '../../operator/server.ts'
import { registerOperatorPage } from '../../page/page.ts'
import type { KeyRing } from '../../store/access/key-ring.ts'
import type { SqlPool } from '../../store/db.ts'
import { listenOrFree } from './listen.ts'
import type { Runtime } from './runtime.ts'

export type OperatorParts = {
  networks: OperatorNetwork[]
  ring: KeyRing
  accounts: AccountManager
  /** shared schema */
  sql: SqlPool
  /** take a free port when the configured one is taken */
  movePort: boolean
}

/** The operator's API on its own port. */
export async function openOperatorApi(
  { operator }: Config,
  { movePort, ...parts }: OperatorParts,
  { log }: Runtime,
): Promise<{ url: string; close: () => Promise<void> }> {
  const app = buildOperatorApi({
    ...parts,
    onAction: (facts) => log.info(facts, 'registry changed'),
    onError: (error, facts) => log.error({ err: error, ...facts }, 'operator request failed'),
  })
  registerOperatorPage(app)
  const { url: address } = await listenOrFree(app, operator, movePort)
  return { url: address, close: async () => app.close() }
}
