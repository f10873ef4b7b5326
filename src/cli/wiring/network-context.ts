import { HeadWatch } from '../../api/head-watch.ts'
import type { ApiContext } from '../../api/route.ts'
import { type Config, type NetworkConfig, schemaOf } from '../../config/schema.ts'
import type { Db } from '../../store/db.ts'
import type { ReadServers } from '../../store/replicas/read-servers.ts'
import { openReads } from './reads.ts'
import type { Runtime } from './runtime.ts'

export type NetworkContext = { ctx: ApiContext; servers: ReadServers | undefined; close: () => Promise<void> }

/** Context of the handlers of one network: its tables, its head as it moves, and where block contents come from. */
export async function openNetworkContext(
  config: Config,
  network: NetworkConfig,
  databaseUrl: string,
  blocksOf: (chainId: () => string, db: Db) => ApiContext['blocks'],
  { log }: Runtime,
): Promise<NetworkContext> {
  const reads = await openReads(config, network, databaseUrl, config.database.read_connections, log)
  const { db, servers } = reads
  const watch = new HeadWatch(db, {
    schema: schemaOf(network),
    ...(servers ? { servers } : { listenOn: db }),
    onError: (error) => log.warn({ err: error }, 'reading the head failed: the last one is served, trying again'),
  })
  await watch.start()
  const ctx: ApiContext = {
    network: { name: network.name, chainId: network.chain_id ?? watch.head?.chain_id ?? '', kind: network.kind },
    db,
    watch,
    head: () => watch.head,
    blocks: blocksOf(() => watch.head?.chain_id ?? '', db),
    now: () => Date.now(),
  }
  const close = async () => {
    await watch.stop()
    await reads.close()
  }
  return { ctx, servers, close }
}
