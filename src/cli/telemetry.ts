import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config/schema.ts'
import { packagePath } from '../lib/package-path.ts'
import { createMetrics, type Metrics } from '../observability/metrics.ts'
import { NetworkHealth } from '../observability/network-health.ts'
import { OffchainAges } from '../observability/observers.ts'
import type { ObservabilityOptions, ReadyCheck } from '../observability/server.ts'
import { type ObservabilityService, startObservability } from '../observability/start.ts'
import type { Db } from '../store/db.ts'

/** What a process counts about itself. */
export type Telemetry = { metrics: Metrics; ages: OffchainAges }

export function createTelemetry(): Telemetry {
  const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }
  const metrics = createMetrics({ version, commit: '' })
  return { metrics, ages: new OffchainAges(metrics) }
}

export type ObservedNetwork = { network: { name: string }; ctx: { db: Db } }

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
  const networks = apis.map(({ network: { name }, ctx: { db } }) => ({
    name,
    db,
    health: new NetworkHealth({ name, db, isIndexer, maxLagSeconds, maxServedAgeSeconds }),
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
