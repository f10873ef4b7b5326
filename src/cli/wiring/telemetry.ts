import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { NodeRequest } from '../../chain/rpc/pool.ts'
import { type Config, type NetworkConfig, OBSERVABILITY_PORT } from '../../config/schema.ts'
import { readBuildInfo } from '../../lib/build-info.ts'
import { createMetrics, type Metrics } from '../../observability/metrics.ts'
import { NetworkHealth } from '../../observability/network-health.ts'
import { createNodeObserver, OffchainAges } from '../../observability/observers.ts'
import type { ObservabilityOptions, ReadyCheck } from '../../observability/server.ts'
import { traceNodeCall } from '../../observability/spans.ts'
import { type ObservabilityService, startObservability } from '../../observability/start.ts'
import { Tracer } from '../../observability/tracer.ts'
import type { Db } from '../../store/db.ts'
import type { ReadServers } from '../../store/replicas/read-servers.ts'

/** Metrics, health and traces of a process. */
export type Telemetry = {
  metrics: Metrics
  ages: OffchainAges
  /** only where traces are asked for */
  tracer: Tracer | undefined
  close: () => Promise<void>
}

export function createTelemetry({ observability }: Config, log: Logger): Telemetry {
  const { version, commit } = readBuildInfo()
  const metrics = createMetrics({ version, commit })
  const { traces_url: url, traces_ratio: ratio } = observability
  const tracer =
    url === undefined
      ? undefined
      : new Tracer({
          url,
          ratio,
          version,
          onError: (error) => log.warn({ err: error }, 'sending traces failed: they are dropped'),
        })
  return { metrics, ages: new OffchainAges(metrics), tracer, close: async () => tracer?.stop() }
}

/** Counts, and traces where that is asked for, what is asked of nodes. */
export function observeNodes({ metrics, tracer }: Telemetry, network: string): (request: NodeRequest) => void {
  const count = createNodeObserver(metrics, network)
  if (!tracer) return count
  return (request) => {
    count(request)
    traceNodeCall(tracer, request)
  }
}

export type ObservedNetwork = {
  network: Pick<NetworkConfig, 'name' | 'rpc'>
  ctx: { db: Db }
  /** where there are several servers to read from */
  servers?: ReadServers | undefined
}

export type OpenObservabilityOptions = {
  isIndexer: boolean
  /** take a free port even where the one that is taken was set */
  movePort?: boolean
  /** told where health and metrics are */
  log?: Logger
  /** what is shown, when it is more than the metrics of this process */
  registry?: ObservabilityOptions['registry']
  /** what has to hold beside the health of the networks */
  checks?: readonly ReadyCheck[]
  /** told before metrics are read */
  collect?: () => void
}

/** Health and metrics of the networks this process serves, unless switched off. A port that was set is bound, or the process ends. */
export async function openObservability(
  config: Config,
  apis: readonly ObservedNetwork[],
  { metrics, ages }: Telemetry,
  { isIndexer, movePort = false, log, registry, checks, collect }: OpenObservabilityOptions,
): Promise<ObservabilityService | undefined> {
  const {
    enabled,
    max_head_age_seconds: maxLagSeconds,
    max_served_age_seconds: maxServedAgeSeconds,
    host,
    port = OBSERVABILITY_PORT,
  } = config.observability
  if (!enabled) return undefined
  const networks = apis.map(({ network: { name, rpc }, ctx: { db }, servers }) => ({
    name,
    db,
    servers,
    health: new NetworkHealth({ name, db, servers, isIndexer, isLive: rpc !== undefined, maxLagSeconds, maxServedAgeSeconds }),
  }))
  const service = await startObservability({
    listen: { host, port },
    movePort: movePort || config.observability.port === undefined,
    metrics,
    registry,
    checks,
    networks,
    ages,
    dataFolder: resolve(config.data),
    ...(collect && { collect }),
  })
  const { url: address } = service
  if (port === 0 || Number(new URL(address).port) === port) log?.info({ address }, 'health and metrics')
  else log?.warn({ address }, `port ${port} is taken: health and metrics are on a free port instead`)
  return service
}
