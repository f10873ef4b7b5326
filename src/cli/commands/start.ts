import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { AccessService } from '../../access/service.ts'
import { type Config, type NetworkConfig, schemaOf } from '../../config/schema.ts'
import { systemClock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/errors.ts'
import { linkSignals } from '../../lib/linked-signal.ts'
import { IndexerObserver } from '../../observability/indexer-observer.ts'
import { runOffchain } from '../../offchain/pollers.ts'
import { hasOtherClients, refuseSharing, removeEmbedded } from '../../store/embedded/server.ts'
import { migrate, SHARED_SCHEMA } from '../../store/migrations/migrate.ts'
import { loadRollups } from '../../store/rollups/edit-rollups.ts'
import type { IndexerFacts } from '../../types/indexer-facts.ts'
import { showTips, type Tip } from '../terminal/height-line.ts'
import { print, terminal } from '../terminal/terminal.ts'
import { type Addresses, addressesOf, describeDemo, describeHost, explainWait, welcome } from '../terminal/welcome.ts'
import { openAccess } from '../wiring/access.ts'
import { type Closing, closeAll } from '../wiring/closing.ts'
import { type Database, ledgerUrlOf, openDatabase } from '../wiring/database.ts'
import { type Demos, openDemos, removeDemo } from '../wiring/demo.ts'
import { findIndexed } from '../wiring/indexed.ts'
import { indexNetwork } from '../wiring/indexer.ts'
import { findMovedPorts, forgetPorts, keepPorts, withKeptPorts } from '../wiring/kept-ports.ts'
import { type NetworkApi, startNetworkApi } from '../wiring/network-api.ts'
import { openOperatorApi } from '../wiring/operator.ts'
import { type CommonOptions, readSettings, withCommonOptions, withHost } from '../wiring/options.ts'
import { pageNetworks } from '../wiring/page-networks.ts'
import type { StartedPaid } from '../wiring/paid.ts'
import { type Runtime, runCommand, untilStopped } from '../wiring/runtime.ts'
import { migrateNetwork } from '../wiring/schemas.ts'
import { lastRecordedHeight, openSource } from '../wiring/source.ts'
import { createTelemetry, observeNodes, openObservability, type Telemetry } from '../wiring/telemetry.ts'

type StartOptions = CommonOptions & {
  live: boolean
  fresh?: boolean
  host?: string
  readyFile?: string
  limitLoopback?: boolean
  paid: boolean
}

export function registerStartCommand(program: Command): void {
  withCommonOptions(program.command('start').description('index and serve everything in one process tree'))
    .option(
      '--no-live',
      'without settings: the bundled recordings instead of the demo chain; recordings are indexed to the end without a pause',
    )
    .option('--no-paid', 'do not start the paid surface and its local test chain')
    .option('--host <address>', 'serve pages, APIs and the paid surface there; 0.0.0.0 for all addresses of this machine')
    .option('--fresh', 'delete the data of earlier runs first')
    .option('--limit-loopback', 'apply rate limits to requests from this machine too')
    .option('--ready-file <file>', 'write all addresses as JSON once everything is indexed and served')
    .action((options: StartOptions) => {
      const config = withHost(
        readSettings(options, () => options.live),
        options.host,
      )
      return runCommand(config.log_level, (runtime) => start(config, options, runtime))
    })
}

async function start(wanted: Config, options: StartOptions, { log, signal }: Runtime): Promise<void> {
  if (options.fresh) {
    if (wanted.database.url)
      throw new OperatorError('bad_option', '--fresh is for the bundled database; one that is configured is yours to empty')
    await removeEmbedded(resolve(wanted.data))
    await removeDemo(wanted.data)
    forgetPorts(wanted)
  }
  const config = withKeptPorts(wanted)
  if (!config.database.url) log.info({ folder: resolve(config.data) }, 'starting the bundled PostgreSQL')
  const demos = openDemos(config)
  const closing: Closing = [demos.close]
  // A failure in one network ends the others too, so nothing waits for them.
  const failing = new AbortController()
  const linked = linkSignals([signal, failing.signal])
  const runtime: Runtime = { log, signal: linked.signal }
  try {
    const database = await openDatabase(config, log)
    closing.unshift(database.stop)
    // A second start would wait for the first one to end without saying so.
    if (database.embedded && (await hasOtherClients(database.url, 'lock'))) refuseSharing(resolve(config.data))
    await migrate(database.url, SHARED_SCHEMA, 'shared')
    const telemetry = createTelemetry(config, log)
    closing.push(telemetry.close)
    const access = await openAccess(config, database, telemetry, runtime)
    closing.push(access.close)
    const apis: NetworkApi[] = []
    const running: RunningNetwork[] = []
    for (const network of config.networks)
      running.push(await startNetwork({ config, network, database, demos, access, telemetry, options, apis, closing }, runtime))
    const indexing = Promise.all(running.map((network) => network.indexing))
    await Promise.race([Promise.all(running.map((network) => network.caughtUp)), indexing, patience(running, runtime.signal)])
    if (signal.aborted) return
    const paid =
      options.paid && config.paid.enabled ? await openPaidSurface(config, apis, database, telemetry, runtime) : undefined
    if (paid) {
      closing.push(paid.close)
      access.parts.shop.open(config.paid.base_url ?? paid.url)
    }
    const operator = config.operator.enabled ? await openOperator(config, apis, running, database, access, runtime) : undefined
    if (operator) closing.push(operator.close)
    const observability = await openObservability(config, apis, telemetry, {
      isIndexer: true,
      movePort: true,
      checks: [...running.map(({ observer }) => observer.check()), ...(paid ? paid.checks : [])],
      collect: () => {
        for (const { countNodes } of running) countNodes()
      },
    })
    if (observability) closing.push(observability.close)
    const addresses = addressesOf(apis, { paid, operator, observability })
    const notes = [
      ...describeDemo(config),
      ...describeHost(config),
      ...keepPorts(wanted, findMovedPorts(wanted, addresses)),
      ...running.flatMap((network) => network.explainWait()),
    ]
    print(welcome(addresses, notes))
    if (terminal) {
      const endLine = showTips(terminal, () => apis.flatMap(tipOf))
      closing.push(async () => endLine())
    }
    if (options.readyFile !== undefined) await Promise.race([announceReady(options.readyFile, addresses, apis), indexing])
    await indexing
    await untilStopped({ signal })
  } finally {
    failing.abort(new OperatorError('stopping', 'another part has ended'))
    linked.release()
    await closeAll(closing, log)
  }
}

function tipOf({ network, ctx }: NetworkApi): Tip[] {
  const head = ctx.head()
  return head ? [{ network: network.name, height: head.last_height, time: head.last_time }] : []
}

/** Nodes may hold years of blocks, or not answer at all: nobody waits longer than this for the addresses. */
const PATIENCE_MS = 10_000

/** A short catch-up is waited for. */
async function patience(running: RunningNetwork[], signal: AbortSignal): Promise<void> {
  await Promise.all(running.filter(({ isShort }) => isShort).map(({ caughtUp }) => caughtUp))
  await systemClock.sleep(PATIENCE_MS, signal).catch(() => {})
}

type RunningNetwork = {
  /** indexed within seconds: a recording or the demo chain */
  isShort: boolean
  indexing: Promise<void>
  caughtUp: Promise<void>
  observer: IndexerObserver
  /** why it is not level with its source yet; nothing when it is */
  explainWait: () => string[]
  countNodes: () => void
  facts: () => IndexerFacts
}

type NetworkParts = {
  config: Config
  network: NetworkConfig
  database: Database
  demos: Demos
  access: AccessService
  telemetry: Telemetry
  options: StartOptions
  apis: NetworkApi[]
  closing: Closing
}

async function startNetwork(
  { config, network: wanted, database, demos, access, telemetry, options, apis, closing }: NetworkParts,
  runtime: Runtime,
): Promise<RunningNetwork> {
  const network = await demos.join(wanted)
  const schema = schemaOf(network)
  const url = database.urlOf(network)
  await migrateNetwork(database, network)
  // Before the first block: one that is being written when a rollup comes in has to be written again.
  const rollups = network.generated
    ? network.offchain.rollups?.file
    : network.recording && join(network.recording, 'rollups.json')
  if (rollups && existsSync(rollups)) await loadRollups(url, schema, rollups)
  const onRequest = observeNodes(telemetry, network.name)
  const source = await openSource(network, {
    live: options.live,
    // A recording that plays on does so from where it was stopped.
    indexed: await findIndexed(url, schema),
    log: runtime.log,
    onRequest,
  })
  closing.push(() => source.close())
  let markCaughtUp = () => {}
  let isCaughtUp = false
  const caughtUp = new Promise<void>((done) => {
    markCaughtUp = () => {
      isCaughtUp = true
      done()
    }
  })
  const observer = new IndexerObserver(telemetry.metrics, network.name)
  const indexing = indexNetwork(config, network, source, { url, follow: true, observer, onCaughtUp: markCaughtUp }, runtime)
  // Indexing may fail while other networks are still being set up; the failure is reported where it is awaited.
  const isOver = indexing.catch(() => {})
  closing.push(() => isOver)
  const polling = runOffchain(
    { url, schema, config: network.offchain, observer: telemetry.ages.observe(network.name, runtime.log) },
    runtime.signal,
  )
  closing.push(() => polling)
  const api = await startNetworkApi(
    config,
    network,
    url,
    source,
    {
      access,
      telemetry,
      logRequests: false,
      exemptLoopback: !options.limitLoopback && !config.access.limit_loopback,
      movePort: true,
      networks: () => pageNetworks(apis),
    },
    runtime,
  )
  apis.push(api)
  closing.push(api.close)
  return {
    isShort: network.rpc === undefined || network.generated === true,
    indexing,
    caughtUp,
    observer,
    explainWait: () => (isCaughtUp ? [] : [explainWait(network.name, source.nodes?.() ?? [])]),
    countNodes: () => observer.nodes(source.nodes?.() ?? []),
    facts: () => observer.facts(source.nodes?.() ?? []),
  }
}

function openOperator(
  config: Config,
  apis: NetworkApi[],
  running: RunningNetwork[],
  { urlOf }: Database,
  { parts, accounts, sql }: AccessService,
  runtime: Runtime,
) {
  const networks = apis.map(({ network, ctx }, i) => ({
    name: network.name,
    url: urlOf(network),
    schema: schemaOf(network),
    db: ctx.db,
    indexer: running[i]!.facts,
  }))
  return openOperatorApi(config, { networks, ring: parts.ring, accounts, sql, movePort: true }, runtime)
}

/** Only the main network is sold. */
async function openPaidSurface(
  config: Config,
  apis: NetworkApi[],
  database: Database,
  { metrics }: Telemetry,
  runtime: Runtime,
): Promise<StartedPaid | undefined> {
  const main = apis.find(({ network }) => network.kind === 'main')
  if (!main) return undefined
  // The payment libraries are large, and `--no-paid` needs none of them.
  const { startPaid } = await import('../wiring/paid.ts')
  const url = await ledgerUrlOf(database, config)
  return startPaid(config, main.ctx, url, { allowLocal: true, movePort: true, metrics, logRequests: false }, runtime)
}

/** Writes all addresses once the last recorded height of every network is served. It appears complete or not at all: scripts wait for it. */
async function announceReady(path: string, addresses: Addresses, apis: readonly NetworkApi[]): Promise<void> {
  await Promise.all(apis.map(untilServed))
  await writeFile(`${path}.part`, `${JSON.stringify(addresses, null, 1)}\n`)
  await rename(`${path}.part`, path)
}

async function untilServed({ network, ctx }: NetworkApi): Promise<void> {
  const last = await lastRecordedHeight(network)
  const isServed = () => last === undefined || (ctx.head()?.last_height ?? -1) >= last
  await new Promise<void>((resolve) => {
    const stop = ctx.watch.onChange(() => check())
    const check = () => {
      if (!isServed()) return
      stop()
      resolve()
    }
    check()
  })
}
