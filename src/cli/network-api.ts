import type { FastifyInstance } from 'fastify'
import { type AccessService, buildGuardedApi } from '../api/access-service.ts'
import { readBlocksFrom } from '../api/block-store.ts'
import type { ApiContext } from '../api/group.ts'
import { HeadWatch } from '../api/head-watch.ts'
import type { BlockReader } from '../chain/source.ts'
import { type Config, type NetworkConfig, schemaOf } from '../config/schema.ts'
import { createPushObserver } from '../observability/observers.ts'
import { createRequestReporter, observeRequests } from '../observability/requests.ts'
import { openReader } from '../store/db.ts'
import { type PageNetwork, registerPage } from '../web/page.ts'
import { attachWebSocket } from '../ws/attach.ts'
import { listenOrFree } from './listen.ts'
import type { Runtime } from './runtime.ts'
import type { Telemetry } from './telemetry.ts'

export type NetworkApi = {
  network: NetworkConfig
  url: string
  app: FastifyInstance
  ctx: ApiContext
  close: () => Promise<void>
}

export type NetworkApiOptions = {
  /** keys, plans and limits of this process */
  access: AccessService
  /** requests from this machine are not counted: the demo, whose tools and benches run here */
  exemptLoopback: boolean
  /** take a free port when the configured one is taken */
  movePort: boolean
  telemetry: Telemetry
  /** one log line per request */
  logRequests: boolean
  /** all networks with their addresses, for the page's switch */
  networks: () => readonly PageNetwork[]
}

/** The key surface of one network on its own address: REST, WebSocket and page. */
export async function startNetworkApi(
  config: Config,
  network: NetworkConfig,
  databaseUrl: string,
  reader: BlockReader,
  options: NetworkApiOptions,
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
    blocks: readBlocksFrom(reader, () => watch.head?.chain_id ?? ''),
    now: () => Date.now(),
  }
  const { metrics } = options.telemetry
  const observed = { metrics, network: network.name, log }
  const { app, access } = buildGuardedApi(ctx, options.access, {
    host: network.listen.host,
    exemptLoopback: options.exemptLoopback,
    trustedProxies: config.access.trusted_proxies,
    onError: createRequestReporter(observed),
  })
  observeRequests(app, { ...observed, access, log: options.logRequests ? log : undefined })
  attachWebSocket(app, ctx, {
    trustedProxies: config.access.trusted_proxies,
    allow: (request) => access.allowSocket(request),
    observer: createPushObserver(metrics, network.name, log),
  })
  registerPage(app, { network: network.name, networks: options.networks, attribution: config.attribution })
  const { url } = await listenOrFree(app, network.listen, options.movePort)
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
