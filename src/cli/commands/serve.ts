import cluster from 'node:cluster'
import type { Command } from 'commander'
import { schemaOf } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { createNodeObserver } from '../../observability/observers.ts'
import { migrate, SHARED_SCHEMA } from '../../store/migrate.ts'
import { openAccess } from '../access.ts'
import { openDatabase } from '../database.ts'
import { type NetworkApi, startNetworkApi } from '../network-api.ts'
import { type CommonOptions, configOf, withCommonOptions } from '../options.ts'
import { pageNetworks } from '../page-networks.ts'
import { type Runtime, runCommand } from '../runtime.ts'
import { openSource } from '../source.ts'
import { createTelemetry, openObservability } from '../telemetry.ts'

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
        workers > 1 && cluster.isPrimary ? supervise(options, workers, runtime) : serve(options, runtime),
      )
    })
}

async function serve(options: ServeOptions, runtime: Runtime): Promise<void> {
  const config = configOf(options)
  const database = await openDatabase(config)
  const closing: (() => Promise<void>)[] = [database.stop]
  try {
    const telemetry = createTelemetry()
    const access = await openAccess(config, database.url, telemetry, runtime)
    closing.push(access.close)
    const apis: NetworkApi[] = []
    const options = {
      access,
      telemetry,
      logRequests: true,
      exemptLoopback: false,
      movePort: false,
      networks: () => pageNetworks(apis),
    }
    for (const network of config.networks) {
      const onRequest = createNodeObserver(telemetry.metrics, network.name)
      const source = await openSource(network, { live: false, log: runtime.log, onRequest })
      closing.push(() => source.close())
      const api = await startNetworkApi(config, network, database.url, source, options, runtime)
      apis.push(api)
      closing.push(api.close)
      runtime.log.info({ network: network.name, address: api.url }, 'serving')
    }
    // Workers share ports; each has its own counts, so only a single process shows them.
    const observability = cluster.isWorker
      ? undefined
      : await openObservability(config, apis, telemetry, { isIndexer: false, movePort: false })
    if (observability) closing.push(observability.close)
    await new Promise<void>((stop) => runtime.signal.addEventListener('abort', () => stop(), { once: true }))
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

/** Processes that share the listening sockets; one that ends is replaced, unless it cannot even start. */
async function supervise(options: ServeOptions, workers: number, { log, signal }: Runtime): Promise<void> {
  const config = configOf(options)
  const database = await openDatabase(config)
  try {
    await migrate(database.url, SHARED_SCHEMA, 'shared')
    for (const network of config.networks) await migrate(database.url, schemaOf(network), 'network')
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
        log.warn({ worker: worker.id, code }, 'worker ended, starting another')
        fork()
      })
      signal.addEventListener('abort', () => {
        for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
      })
    })
  } finally {
    await database.stop()
  }
}
