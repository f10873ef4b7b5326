import type { FastifyInstance } from 'fastify'
import { type AccessService, buildGuardedApi } from '../../access/service.ts'
import type { ApiContext } from '../../api/route.ts'
import { readBlocksFrom, withKeptTxs } from '../../api/square/block-store.ts'
import type { BlockReader } from '../../chain/source.ts'
import type { Config, NetworkConfig } from '../../config/schema.ts'
import { Feed } from '../../feed/feed.ts'
import type { Gate } from '../../live/admission.ts'
import { attachWebSocket } from '../../live/attach.ts'
import { livePaths } from '../../live/describe.ts'
import { addMcpToKeySurface } from '../../mcp/key-surface.ts'
import { createPushObserver } from '../../observability/observers.ts'
import { createRequestReporter, observeRequests } from '../../observability/requests.ts'
import { traceQueries, traceRequests } from '../../observability/spans.ts'
import { createWebhookObserver } from '../../observability/webhook-observer.ts'
import { type PageNetwork, registerPage } from '../../page/page.ts'
import type { ReadServers } from '../../store/replicas/read-servers.ts'
import { addWebhooks, webhookPaths } from '../../webhooks/routes.ts'
import { openWebhooks } from '../../webhooks/service.ts'
import { listenOrFree } from './listen.ts'
import { openNetworkContext } from './network-context.ts'
import { keepPageColours } from './page-colours.ts'
import type { Runtime } from './runtime.ts'
import type { Telemetry } from './telemetry.ts'

export type NetworkApi = {
  network: NetworkConfig
  url: string
  app: FastifyInstance
  ctx: ApiContext
  servers: ReadServers | undefined
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
  /** counts open WebSockets over all processes that share the ports; by network */
  gate?: (network: string) => (connections: number) => Gate
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
  runtime: Runtime,
): Promise<NetworkApi> {
  const { log } = runtime
  const { ctx, servers, close } = await openNetworkContext(
    config,
    network,
    databaseUrl,
    (chainId, db) => withKeptTxs(readBlocksFrom(reader, chainId), db),
    runtime,
  )
  const { metrics, tracer } = options.telemetry
  if (tracer) ctx.db = traceQueries(ctx.db, tracer)
  const feed = new Feed(ctx)
  const webhooks = config.webhooks.enabled
    ? openWebhooks(ctx, {
        feed,
        url: databaseUrl,
        config: config.webhooks,
        plans: options.access.parts.plans,
        pepper: options.access.parts.pepper,
        graceMs: config.access.rotation_grace_hours * 3_600_000,
        observer: createWebhookObserver(metrics, network.name, log),
      })
    : undefined
  const observed = { metrics, network: network.name, log }
  const { app, access } = buildGuardedApi(ctx, options.access, {
    host: network.listen.host,
    exemptLoopback: options.exemptLoopback,
    otherPaths: webhooks ? [...livePaths, ...webhookPaths] : livePaths,
    rollbackDepth: config.indexing.max_rollback_depth,
    onError: createRequestReporter(observed),
  })
  observeRequests(app, { ...observed, access, log: options.logRequests ? log : undefined })
  if (tracer) traceRequests(app, tracer, network.name)
  attachWebSocket(app, ctx, {
    feed,
    allow: (request) => access.allowSocket(request),
    allowKey: (request, key) => access.allowSocketKey(request, key),
    ...(options.gate && { gate: options.gate(network.name) }),
    observer: createPushObserver(metrics, network.name, log),
  })
  if (webhooks) addWebhooks(app, access, webhooks.manager)
  addMcpToKeySurface(app, ctx, { access, onError: (error) => log.error({ err: error }, 'tool call failed') })
  registerPage(app, {
    network: network.name,
    networks: options.networks,
    newestHeight: () => ctx.head()?.last_height,
    colours: keepPageColours(ctx.db),
    attribution: config.attribution,
    shop: () => options.access.parts.shop.url,
  })
  const { url } = await listenOrFree(app, network.listen, options.movePort)
  if (config.webhooks.deliver) await webhooks?.deliver()
  return {
    network,
    url,
    app,
    ctx,
    servers,
    close: async () => {
      await app.close()
      await webhooks?.close()
      await close()
    },
  }
}
