import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { NodeRequest } from '../../chain/rpc/pool.ts'
import type { Config, NetworkConfig } from '../../config/schema.ts'
import { readBuildInfo } from '../../lib/build-info.ts'
import { createMetrics, type Metrics } from '../../observability/metrics.ts'
import { NetworkHealth } from '../../observability/network-health.ts'
import { createNodeObserver, OffchainAges } from '../../observability/observers.ts'
import type { ObservabilityOptions, ReadyCheck } from '../../observability/server.ts'
import { traceNodeCall } from '../../observability/spans.ts'
import { type ObservabilityService, startObservability } from '../../observability/start.ts'
import { Tracer } from '../../observability/tracer.ts'
import type { Db } from '../../store/db.ts'
import type { ReadServers } from '../../store/servers/read-servers.ts'

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
      : new Tracer({ url, ratio, version, onError: (error) => log.warn({ err: error }, 'traces not sent') })
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
  movePort: boolean
  /** what is shown, when it is more than the metrics of this process */
  registry?: ObservabilityOptions['registry']
  /** what has to hold beside the health of the networks */
  checks?: readonly ReadyCheck[]
  /** told before metrics are read */
  collect?: () => void
}

/** Health and metrics of the networks this process serves, unless switched off. */
export async function openObservability(
  config: Config,
  apis: readonly ObservedNetwork[],
  { metrics, ages }: Telemetry,
  { isIndexer, movePort, registry, checks, collect }: OpenObservabilityOptions,
): Promise<ObservabilityService | undefined> {
  const {
    enabled,
    max_head_age_seconds: maxLagSeconds,
    max_served_age_seconds: maxServedAgeSeconds,
    ...listen
  } = config.observability
  if (!enabled) return undefined
  const networks = apis.map(({ network: { name, rpc }, ctx: { db }, servers }) => ({
    name,
    db,
    servers,
    health: new NetworkHealth({ name, db, servers, isIndexer, isLive: rpc !== undefined, maxLagSeconds, maxServedAgeSeconds }),
  }))
  return startObservability({
    listen,
    movePort,
    metrics,
    registry,
    checks,
    networks,
    ages,
    dataFolder: resolve(config.data),
    ...(collect && { collect }),
  })
}
