import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config, NetworkConfig } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { ServerLoss } from '../../store/embedded/restart.ts'
import { hasOtherClients, startEmbedded } from '../../store/embedded/server.ts'
import { openLedgerRole } from '../../store/pay/role.ts'
import { findAnswering } from '../../store/servers/find-primary.ts'
import { checkReachable } from '../../store/servers/reach.ts'

export type Database = {
  /** keys, plans and payments, and every network without its own database */
  url: string
  /** where the tables of a network are written */
  urlOf: (network: NetworkConfig) => string
  embedded: boolean
  stop: () => Promise<void>
}

/** A database whose primary is away: what can be read is read from a replica until it is back. */
export type ReadableDatabase = Database & {
  /** replica that stands in for the database of keys; undefined while its primary is there */
  copyUrl: string | undefined
  /** replica that stands in for a network's */
  copyUrlOf: (network: NetworkConfig) => string | undefined
}

/**
 * The configured PostgreSQL, or the bundled one on the data directory. Several processes may share that: the last to leave ends it. With
 * a `log` a bundled one that is killed is started again.
 */
export async function openDatabase(config: Config, log?: Logger): Promise<Database> {
  const { url } = config.database
  for (const { name, database } of config.networks)
    if (database) await checkReachable(database.url, `networks.${name}.database.url`)
  if (url) {
    await checkReachable(url)
    return { ...addressesOf(url), embedded: false, stop: async () => {} }
  }
  return openEmbedded(config, log)
}

/** Database of commands that mostly read: they start without the primary when a replica answers. */
export async function openReadable(config: Config, log: Logger): Promise<ReadableDatabase> {
  const { url, read_url: readUrl } = config.database
  const copies = new Map<string, string>()
  for (const { name, database } of config.networks) {
    if (!database) continue
    const copy = await findCopy(database.url, database.read_url, `networks.${name}.database.url`, log)
    if (copy !== undefined) copies.set(name, copy)
  }
  const copyUrl = url ? await findCopy(url, readUrl, 'DATABASE_URL', log) : undefined
  const opened = url ? { ...addressesOf(url), embedded: false, stop: async () => {} } : await openEmbedded(config, log)
  return { ...opened, copyUrl, copyUrlOf: ({ name, database }) => (database ? copies.get(name) : copyUrl) }
}

const addressesOf = (url: string): Pick<Database, 'url' | 'urlOf'> => ({
  url,
  urlOf: ({ database }) => database?.url ?? url,
})

/** Undefined when the primary is there. Throws when it is not, and no replica either. */
async function findCopy(url: string, readUrl: string | undefined, setting: string, log: Logger): Promise<string | undefined> {
  try {
    await checkReachable(url, setting)
    return undefined
  } catch (error) {
    const isAway = error instanceof OperatorError && error.code === 'database_away'
    const copy = isAway && readUrl !== undefined ? await findAnswering(readUrl) : undefined
    if (copy === undefined) throw error
    log.warn(
      { reason: (error as Error).message, replica: copy.place },
      'connecting to the primary failed: serving from a replica until it is back',
    )
    return copy.url
  }
}

async function openEmbedded(config: Config, log?: Logger): Promise<Database> {
  const server = await startEmbedded({
    directory: resolve(config.data),
    ownSignals: true,
    ...(log && { onRestart: createLossLog(log) }),
  })
  const stop = async () => {
    if (await hasOtherClients(server.url)) server.leave()
    else await server.stop()
  }
  return { ...addressesOf(server.url), embedded: true, stop }
}

function createLossLog(log: Logger): (what: ServerLoss) => void {
  return ({ reason, delayMs }) =>
    delayMs === undefined
      ? log.info('the bundled PostgreSQL runs again')
      : log.warn({ reason, delay_ms: delayMs }, 'the bundled PostgreSQL ended unexpectedly: starting it again')
}

/** Where the ledger of payments is kept, as a role that can do no more; who configures a database chooses the role. */
export async function ledgerUrlOf({ url, embedded }: Database, { paid }: Config): Promise<string> {
  return paid.ledger_url ?? (embedded ? openLedgerRole(url) : url)
}
