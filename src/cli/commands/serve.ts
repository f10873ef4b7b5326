import cluster, { type Worker } from 'node:cluster'
import type { Command } from 'commander'
import type { WrongKeys } from '../../access/wrong-keys.ts'
import { type Config, schemaOf } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { collectSooner } from '../../runtime/engine-settings.ts'
import { type MigrationSet, migrate, requireMigrated, SHARED_SCHEMA } from '../../store/migrations/migrate.ts'
import { openAccess } from '../wiring/access.ts'
import { type Closing, closeAll } from '../wiring/closing.ts'
import { openReadable, type ReadableDatabase } from '../wiring/database.ts'
import { findIndexed } from '../wiring/indexed.ts'
import { type NetworkApi, startNetworkApi } from '../wiring/network-api.ts'
import { type CommonOptions, configOf, withCommonOptions } from '../wiring/options.ts'
import { pageNetworks } from '../wiring/page-networks.ts'
import { openReads } from '../wiring/reads.ts'
import { type Runtime, runCommand, untilStopped } from '../wiring/runtime.ts'
import { openSource } from '../wiring/source.ts'
import {
  createTelemetry,
  type ObservedNetwork,
  type OpenObservabilityOptions,
  observeNodes,
  openObservability,
  type Telemetry,
} from '../wiring/telemetry.ts'
import { keepGate, openWorkerGate } from '../workers/gate.ts'
import { answerMetrics, joinMetrics } from '../workers/metrics.ts'

type ServeOptions = CommonOptions & { workers: string }

export function registerServeCommand(program: Command): void {
  withCommonOptions(program.command('serve').description('serve the key surface and the WebSocket of all configured networks'))
    .option('--workers <n>', 'processes that share the ports', '1')
    .action((options: ServeOptions) => {
      const config = configOf(options)
      const workers = Number(options.workers)
      if (!Number.isInteger(workers) || workers < 1 || workers > 64)
        throw new OperatorError('bad_option', '--workers takes a number from 1 to 64')
      return runCommand(config.log_level, (runtime) =>
        workers > 1 && cluster.isPrimary ? supervise(config, workers, runtime) : serve(config, runtime),
      )
    })
}

async function serve(config: Config, runtime: Runtime): Promise<void> {
  collectSooner()
  const database = await openReadable(config, runtime.log)
  const closing: Closing = [database.stop]
  try {
    // The first process has done it for its workers.
    if (!cluster.isWorker) await prepareSchemas(config, database)
    const telemetry = createTelemetry(config, runtime.log)
    closing.push(telemetry.close)
    const access = await openAccess(config, database, telemetry, runtime)
    closing.push(access.close)
    if (cluster.isWorker) shareWrongKeys(access.parts.wrongKeys)
    const apis: NetworkApi[] = []
    const options = {
      access,
      telemetry,
      logRequests: true,
      exemptLoopback: false,
      movePort: false,
      networks: () => pageNetworks(apis),
      ...(cluster.isWorker && { gate: (network: string) => (most: number) => openWorkerGate(network, most) }),
    }
    for (const network of config.networks) {
      const onRequest = observeNodes(telemetry, network.name)
      const source = await openSource(network, {
        live: false,
        indexed: await findIndexed(database.copyUrlOf(network) ?? database.urlOf(network), schemaOf(network)),
        log: runtime.log,
        onRequest,
      })
      closing.push(() => source.close())
      const api = await startNetworkApi(config, network, database.urlOf(network), source, options, runtime)
      apis.push(api)
      closing.push(api.close)
      runtime.log.info({ network: network.name, address: api.url }, 'serving')
    }
    // Workers share ports: the process that started them shows what they counted.
    if (cluster.isWorker) answerMetrics(telemetry.metrics.registry)
    else await showHealth(config, apis, telemetry, closing, runtime)
    await untilStopped(runtime)
  } finally {
    await closeAll(closing, runtime.log)
  }
}

/** Makes what is missing; refuses what is newer than this program. */
async function prepareSchemas(config: Config, database: ReadableDatabase): Promise<void> {
  const prepare = (url: string, copyUrl: string | undefined, schema: string, set: MigrationSet) =>
    copyUrl === undefined ? migrate(url, schema, set) : requireMigrated(copyUrl, schema, set)
  await prepare(database.url, database.copyUrl, SHARED_SCHEMA, 'shared')
  for (const network of config.networks)
    await prepare(database.urlOf(network), database.copyUrlOf(network), schemaOf(network), 'network')
}

async function showHealth(
  config: Config,
  networks: readonly ObservedNetwork[],
  telemetry: Telemetry,
  closing: Closing,
  { log }: Runtime,
  registry?: OpenObservabilityOptions['registry'],
): Promise<void> {
  const service = await openObservability(config, networks, telemetry, { isIndexer: false, log, ...(registry && { registry }) })
  if (service) closing.push(service.close)
}

/** Health of the networks, and the counts of all workers as one. */
async function superviseHealth(config: Config, database: ReadableDatabase, closing: Closing, runtime: Runtime): Promise<void> {
  const networks: ObservedNetwork[] = []
  for (const network of config.networks) {
    const { db, servers, close } = await openReads(config, network, database.urlOf(network), 2, runtime.log)
    closing.push(close)
    networks.push({ network, ctx: { db }, servers })
  }
  const telemetry = createTelemetry(config, runtime.log)
  await showHealth(config, networks, telemetry, closing, runtime, joinMetrics(telemetry.metrics.registry))
}

/** Processes that share the listening sockets; one that ends is replaced, unless it cannot even start. */
async function supervise(config: Config, workers: number, runtime: Runtime): Promise<void> {
  const { log, signal } = runtime
  const database = await openReadable(config, runtime.log)
  const closing: Closing = [database.stop]
  try {
    await prepareSchemas(config, database)
    keepGate()
    relayWrongKeys()
    await superviseHealth(config, database, closing, runtime)
    const startedAt = new Map<number, number>()
    const fork = () => {
      const worker = cluster.fork({ DATABASE_URL: database.url })
      startedAt.set(worker.id, Date.now())
    }
    for (let i = 0; i < workers; i++) fork()
    await new Promise<void>((stop, fail) => {
      cluster.on('exit', (worker, code) => {
        if (signal.aborted) return Object.keys(cluster.workers ?? {}).length === 0 ? stop() : undefined
        if (Date.now() - startedAt.get(worker.id)! < 3000)
          return fail(new OperatorError('worker_failed', `a worker ended with code ${code} while starting`))
        log.warn({ worker: worker.id, code }, 'a worker ended unexpectedly: starting another')
        fork()
      })
      signal.addEventListener('abort', () => {
        for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
      })
    })
  } finally {
    await closeAll(closing, runtime.log)
  }
}

type WrongKeyMessage = { wrongKey: string }

/** In the first process: what one worker saw, the others hear of. */
function relayWrongKeys(): void {
  cluster.on('message', (from: Worker, message: WrongKeyMessage) => {
    if (typeof message?.wrongKey !== 'string') return
    for (const worker of Object.values(cluster.workers ?? {})) if (worker !== from) worker?.send(message, () => {})
  })
}

/** In a worker: whoever tries keys is counted over all of them. */
function shareWrongKeys(wrongKeys: WrongKeys): void {
  wrongKeys.onAdd = (network) => {
    if (process.connected) process.send?.({ wrongKey: network } satisfies WrongKeyMessage)
  }
  process.on('message', (message: WrongKeyMessage) => {
    if (typeof message?.wrongKey === 'string') wrongKeys.hear(message.wrongKey)
  })
}
