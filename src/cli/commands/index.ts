import type { Command } from 'commander'
import { type Config, type NetworkConfig, schemaOf } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { linkSignals } from '../../lib/linked-signal.ts'
import { IndexerObserver } from '../../observability/indexer-observer.ts'
import { runOffchain } from '../../offchain/pollers.ts'
import { openReader } from '../../store/db.ts'
import { migrate, SHARED_SCHEMA } from '../../store/migrations/migrate.ts'
import { openDatabase } from '../wiring/database.ts'
import { findIndexed } from '../wiring/indexed.ts'
import { indexNetwork } from '../wiring/indexer.ts'
import {
  type CommonOptions,
  configOf,
  networkOf,
  readCount,
  type SourceOptions,
  withCommonOptions,
  withSource,
} from '../wiring/options.ts'
import { type Runtime, runCommand } from '../wiring/runtime.ts'
import { migrateNetwork } from '../wiring/schemas.ts'
import { type OpenedSource, openSource } from '../wiring/source.ts'
import { createTelemetry, observeNodes, openObservability, type Telemetry } from '../wiring/telemetry.ts'

type IndexOptions = CommonOptions & SourceOptions & { until?: number; once?: boolean }

export function registerIndexCommand(program: Command): void {
  withCommonOptions(program.command('index').description('index one network from a node or a recording'))
    .option('--network <name>', 'network of the configuration (default: the main one)')
    .option('--recording <dir>', 'index this recording instead of the configured source')
    .option('--rpc <urls>', 'index from these nodes (comma-separated) instead of the configured source')
    .option('--until <height>', 'stop at this height', readCount)
    .option('--once', 'stop at the head of the source instead of following it')
    .action((options: IndexOptions) => {
      const config = configOf(options)
      return runCommand(config.log_level, async (runtime) => {
        const network = withSource(networkOf(config, options.network), options)
        const database = await openDatabase(config, runtime.log)
        try {
          await migrate(database.url, SHARED_SCHEMA, 'shared')
          await migrateNetwork(database, network)
          const url = database.urlOf(network)
          const telemetry = createTelemetry(config, runtime.log)
          const onRequest = observeNodes(telemetry, network.name)
          const source = await openSource(network, {
            live: false,
            indexed: await findIndexed(url, schemaOf(network)),
            log: runtime.log,
            onRequest,
          })
          try {
            const { until } = options
            if (options.once || until !== undefined)
              await indexNetwork(config, network, source, { url, follow: false, ...(until !== undefined && { until }) }, runtime)
            else await followNetwork(config, network, source, url, telemetry, runtime)
          } finally {
            await source.close()
            await telemetry.close()
          }
        } finally {
          await database.stop()
        }
      })
    })
}

/** For ever: with health, metrics and the off-chain data of the network. */
async function followNetwork(
  config: Config,
  network: NetworkConfig,
  source: OpenedSource,
  url: string,
  telemetry: Telemetry,
  { log, signal }: Runtime,
): Promise<void> {
  const schema = schemaOf(network)
  const observer = new IndexerObserver(telemetry.metrics, network.name)
  const db = openReader({ url, schema, max: 2 })
  const failing = new AbortController()
  const linked = linkSignals([signal, failing.signal])
  const offchain = { url, schema, config: network.offchain, observer: telemetry.ages.observe(network.name, log) }
  try {
    const observability = await openObservability(config, [{ network, ctx: { db } }], telemetry, {
      isIndexer: true,
      log,
      checks: [observer.check()],
      collect: () => observer.nodes(source.nodes?.() ?? []),
    })
    const polling = runOffchain(offchain, linked.signal)
    try {
      await indexNetwork(config, network, source, { url, follow: true, observer }, { log, signal })
    } finally {
      failing.abort(new OperatorError('stopping', 'the indexer has ended'))
      linked.release()
      await polling
      await observability?.close()
    }
  } finally {
    await db.end({ timeout: 2 })
  }
}
