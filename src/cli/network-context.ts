import { HeadWatch } from '../api/head-watch.ts'
import type { ApiContext } from '../api/route.ts'
import { type Config, type NetworkConfig, schemaOf } from '../config/schema.ts'
import { openReader } from '../store/db.ts'
import type { Runtime } from './runtime.ts'

export type NetworkContext = { ctx: ApiContext; close: () => Promise<void> }

/** What handlers need to answer for one network: its tables, its head as it moves, and where block contents come from. */
export async function openNetworkContext(
  config: Config,
  network: NetworkConfig,
  databaseUrl: string,
  blocksOf: (chainId: () => string) => ApiContext['blocks'],
  { log }: Runtime,
): Promise<NetworkContext> {
  const schema = schemaOf(network)
  const db = openReader({ url: config.database.read_url ?? databaseUrl, schema, max: config.database.read_connections })
  // A replica takes no LISTEN; notices come from the server that is written to.
  const notices = config.database.read_url ? openReader({ url: databaseUrl, schema, max: 1 }) : db
  const watch = new HeadWatch(db, { schema, listenOn: notices, onError: (error) => log.warn({ err: error }, 'head not read') })
  await watch.start()
  const ctx: ApiContext = {
    network: { name: network.name, chainId: network.chain_id ?? watch.head?.chain_id ?? '', kind: network.kind },
    db,
    watch,
    head: () => watch.head,
    blocks: blocksOf(() => watch.head?.chain_id ?? ''),
    now: () => Date.now(),
  }
  const close = async () => {
    await watch.stop()
    await Promise.all([db.end({ timeout: 2 }), notices === db ? undefined : notices.end({ timeout: 2 })])
  }
  return { ctx, close }
}
