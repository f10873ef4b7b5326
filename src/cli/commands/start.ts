import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, type NetworkConfig, schemaOf } from '../../config/schema.ts'
import { migrate, SHARED_SCHEMA } from '../../store/migrate.ts'
import { loadRollups } from '../../store/write/registry.ts'
import { openDatabase } from '../database.ts'
import { indexNetwork } from '../indexer.ts'
import { type NetworkApi, startNetworkApi } from '../network-api.ts'
import { type CommonOptions, configOf, withCommonOptions } from '../options.ts'
import { type Runtime, runCommand } from '../runtime.ts'
import { openSource } from '../source.ts'

type StartOptions = CommonOptions & { live: boolean; fresh?: boolean; readyFile?: string }

export function registerStartCommand(program: Command): void {
  withCommonOptions(program.command('start').description('index and serve everything in one process tree'))
    .option('--no-live', 'index recordings to their end at once instead of playing the last blocks one per second')
    .option('--fresh', 'forget the data of earlier runs first')
    .option('--ready-file <file>', 'write all addresses as JSON once everything is indexed and served')
    .action((options: StartOptions) => {
      const config = configOf(options)
      return runCommand(config.log_level, (runtime) => start(config, options, runtime))
    })
}

async function start(config: Config, options: StartOptions, runtime: Runtime): Promise<void> {
  if (options.fresh) await rm(join(resolve(config.data), 'postgres'), { recursive: true, force: true })
  const database = await openDatabase(config)
  const closing: (() => Promise<void>)[] = [database.stop]
  try {
    await migrate(database.url, SHARED_SCHEMA, 'shared')
    const running = await Promise.all(
      config.networks.map((network) => startNetwork(config, network, database.url, options, runtime, closing)),
    )
    const indexing = Promise.all(running.map(({ indexing }) => indexing))
    await Promise.race([Promise.all(running.map(({ caughtUp }) => caughtUp)), indexing])
    const addresses = addressesOf(running.map(({ api }) => api))
    process.stdout.write(welcome(addresses))
    if (options.readyFile) await writeReadyFile(options.readyFile, addresses)
    await indexing
    if (!runtime.signal.aborted)
      await new Promise<void>((stop) => runtime.signal.addEventListener('abort', () => stop(), { once: true }))
  } finally {
    for (const close of closing.reverse()) await close().catch((error) => runtime.log.warn({ err: error }, 'not closed cleanly'))
  }
}

type RunningNetwork = { api: NetworkApi; indexing: Promise<void>; caughtUp: Promise<void> }

async function startNetwork(
  config: Config,
  network: NetworkConfig,
  databaseUrl: string,
  options: StartOptions,
  runtime: Runtime,
  closing: (() => Promise<void>)[],
): Promise<RunningNetwork> {
  await migrate(databaseUrl, schemaOf(network), 'network')
  const rollups = network.recording && join(network.recording, 'rollups.json')
  if (rollups && existsSync(rollups)) await loadRollups(databaseUrl, schemaOf(network), rollups)
  const source = await openSource(network, options.live)
  closing.push(() => source.close())
  let markCaughtUp = () => {}
  const caughtUp = new Promise<void>((done) => {
    markCaughtUp = done
  })
  const indexing = indexNetwork(config, network, source, { url: databaseUrl, follow: true, onCaughtUp: markCaughtUp }, runtime)
  closing.push(() => indexing.catch(() => {}))
  const api = await startNetworkApi(config, network, databaseUrl, source, { movePort: true }, runtime)
  closing.push(api.close)
  return { api, indexing, caughtUp }
}

type Addresses = { networks: Record<string, { kind: string; api: string; websocket: string; docs: string; page: string }> }

function addressesOf(apis: NetworkApi[]): Addresses {
  return {
    networks: Object.fromEntries(
      apis.map(({ network, url }) => [
        network.name,
        {
          kind: network.kind,
          api: `${url}/v1`,
          websocket: `${url.replace(/^http/, 'ws')}/v1/ws`,
          docs: `${url}/v1/docs`,
          page: `${url}/`,
        },
      ]),
    ),
  }
}

function welcome({ networks }: Addresses): string {
  const lines = Object.entries(networks).map(
    ([name, { api, docs, websocket }]) => `  ${name.padEnd(8)} ${api}   docs ${docs}   live ${websocket}`,
  )
  return `\nAstrolabe serves:\n${lines.join('\n')}\n\nTry:  curl ${Object.values(networks)[0]!.api}/head\n`
}

/** Appears complete or not at all: scripts wait for it. */
async function writeReadyFile(path: string, content: unknown): Promise<void> {
  await writeFile(`${path}.part`, `${JSON.stringify(content, null, 1)}\n`)
  await rename(`${path}.part`, path)
}
