import type { FastifyInstance } from 'fastify'
import type { BlockStore } from '../api/block-store.ts'
import type { ApiContext } from '../api/group.ts'
import { HeadWatch } from '../api/head-watch.ts'
import { type ApiOptions, buildApi } from '../api/server.ts'
import { parseRawBlock } from '../chain/parse.ts'
import type { BlockReader } from '../chain/source.ts'
import { type Config, type NetworkConfig, schemaOf } from '../config/schema.ts'
import { openReader } from '../store/db.ts'
import { attachWebSocket } from '../ws/attach.ts'
import { listenOrFree } from './listen.ts'
import type { Runtime } from './runtime.ts'

export type NetworkApi = {
  network: NetworkConfig
  url: string
  app: FastifyInstance
  ctx: ApiContext
  close: () => Promise<void>
}

/** The key surface of one network on its own address. */
export async function startNetworkApi(
  config: Config,
  network: NetworkConfig,
  databaseUrl: string,
  reader: BlockReader,
  options: ApiOptions & { movePort: boolean },
  { log }: Runtime,
): Promise<NetworkApi> {
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
    blocks: blockStoreOf(reader, () => watch.head?.chain_id ?? ''),
    now: () => Date.now(),
  }
  const { movePort, ...apiOptions } = options
  const app = buildApi(ctx, {
    ...apiOptions,
    onError: (error, facts) => log.error({ err: error, network: network.name, ...facts }, 'request failed'),
  })
  attachWebSocket(app, ctx, { ...(options.trustedProxies && { trustedProxies: options.trustedProxies }) })
  const { url } = await listenOrFree(app, network.listen, movePort)
  return {
    network,
    url,
    app,
    ctx,
    close: async () => {
      await app.close()
      await watch.stop()
      await Promise.all([db.end({ timeout: 2 }), notices === db ? undefined : notices.end({ timeout: 2 })])
    },
  }
}

/** Blob contents come from the place the blocks came from; every answer of it is checked like a block that is indexed. */
function blockStoreOf(reader: BlockReader, chainId: () => string): BlockStore {
  return {
    async txs(height) {
      const raw = await reader.readBlock(height, AbortSignal.timeout(8000))
      return raw && parseRawBlock(raw, { chainId: chainId() }).txs
    },
  }
}
