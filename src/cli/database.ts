import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/schema.ts'
import { hasOtherClients, startEmbedded } from '../store/embedded.ts'
import type { ServerLoss } from '../store/embedded-restart.ts'
import { openLedgerRole } from '../store/pay/role.ts'
import { checkReachable } from '../store/reach.ts'

/** The tables of a network, or those of the access part, are made when an indexer starts for the first time. */
export const MISSING_TABLE = '42P01'

export type Database = { url: string; embedded: boolean; stop: () => Promise<void> }

/**
 * The configured PostgreSQL, or the bundled one on the data directory. Several processes may share that: the last to leave ends it. With
 * a `log` a bundled one that is killed is started again.
 */
export async function openDatabase(config: Config, log?: Logger): Promise<Database> {
  const { url } = config.database
  if (url) {
    await checkReachable(url)
    return { url, embedded: false, stop: async () => {} }
  }
  const server = await startEmbedded({
    directory: resolve(config.data),
    ownSignals: true,
    ...(log && { onRestart: createLossLog(log) }),
  })
  const stop = async () => {
    if (await hasOtherClients(server.url)) server.leave()
    else await server.stop()
  }
  return { url: server.url, embedded: true, stop }
}

function createLossLog(log: Logger): (what: ServerLoss) => void {
  return ({ reason, delayMs }) =>
    delayMs === undefined
      ? log.info('the bundled PostgreSQL runs again')
      : log.warn({ reason, delay_ms: delayMs }, 'the bundled PostgreSQL is gone, starting it again')
}

/** Where the ledger of payments is kept, as a role that can do no more; who configures a database chooses the role. */
export async function ledgerUrlOf({ url, embedded }: Database, { paid }: Config): Promise<string> {
  return paid.ledger_url ?? (embedded ? openLedgerRole(url) : url)
}
