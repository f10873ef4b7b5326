import { connect } from 'node:net'
import { createClientAddress } from '../../access/client.ts'
import type { ApiContext } from '../../api/route.ts'
import { readBlocksFrom, withKeptTxs } from '../../api/square/block-store.ts'
import { type Config, schemaOf } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { freePort } from '../../lib/free-port.ts'
import { originOf } from '../../lib/origin.ts'
import { addMcpToPaidSurface } from '../../mcp/paid-surface.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { observeRequests } from '../../observability/requests.ts'
import type { CheckResult, ReadyCheck } from '../../observability/server.ts'
import { createLookup } from '../../operations/lookup.ts'
import { openOperations } from '../../operations/serve-operations.ts'
import { ChainAway } from '../../pay/evm/rpc.ts'
import { chainsFrom } from '../../pay/from-config.ts'
import { planPayments } from '../../pay/local-chain/local-chain.ts'
import { createPayMetrics } from '../../pay/metrics.ts'
import { openPaid } from '../../pay/open.ts'
import { refuseWithoutChain } from '../../pay/settings.ts'
import { checkChains } from '../../pay/settle/check-chain.ts'
import type { KeySecrets } from '../../store/access/keys.ts'
import { migrate, SHARED_SCHEMA } from '../../store/migrations/migrate.ts'
import { type Closing, closeAll } from './closing.ts'
import { ledgerUrlOf, openDatabase } from './database.ts'
import { findIndexed } from './indexed.ts'
import { pepperOf } from './key-table.ts'
import { listenOrFree } from './listen.ts'
import { openNetworkContext } from './network-context.ts'
import { networkOf } from './options.ts'
import { type Runtime, untilStopped } from './runtime.ts'
import { migrateNetwork } from './schemas.ts'
import { openSource } from './source.ts'
import { createTelemetry, observeNodes, openObservability } from './telemetry.ts'

/** Serves the paid surface of the main network until it is told to stop. */
export async function servePaid(config: Config, allowLocal: boolean, runtime: Runtime): Promise<void> {
  const network = networkOf(config)
  if (network.kind !== 'main')
    throw new OperatorError('no_main_network', 'the paid surface is for the main network, and none is configured')
  if (!allowLocal && !config.paid.evm && !config.paid.tempo) refuseWithoutChain()
  const database = await openDatabase(config, runtime.log)
  const closing: Closing = [database.stop]
  try {
    await migrate(database.url, SHARED_SCHEMA, 'shared')
    await migrateNetwork(database, network)
    const telemetry = createTelemetry(config, runtime.log)
    closing.push(telemetry.close)
    const url = database.urlOf(network)
    // For proofs; contents of blobs are not sold.
    const source = await openSource(network, {
      live: false,
      indexed: await findIndexed(url, schemaOf(network)),
      log: runtime.log,
      onRequest: observeNodes(telemetry, network.name),
    })
    closing.push(() => source.close())
    const context = await openNetworkContext(
      config,
      network,
      url,
      (chainId, db) => withKeptTxs(readBlocksFrom(source, chainId), db),
      runtime,
    )
    closing.push(context.close)
    const options = { allowLocal, movePort: false, metrics: telemetry.metrics, logRequests: true }
    const paid = await startPaid(config, context.ctx, await ledgerUrlOf(database, config), options, runtime)
    closing.push(paid.close)
    const observability = await openObservability(config, [{ network, ...context }], telemetry, {
      isIndexer: false,
      log: runtime.log,
      checks: paid.checks,
    })
    if (observability) closing.push(observability.close)
    runtime.log.info({ address: paid.url, local: paid.local }, 'serving the paid surface')
    await untilStopped(runtime)
  } finally {
    await closeAll(closing, runtime.log)
  }
}

export type StartedPaid = {
  url: string /** kind of the local test chain, when payments are made on one */
  local: string | undefined
  /** nothing can be sold while the ledger or the payment chain is away, or the settler has no gas */
  checks: ReadyCheck[]
  close: () => Promise<void>
}

export type StartPaidOptions = {
  allowLocal: boolean /** take a free port when the configured one is taken */
  movePort: boolean
  metrics: Metrics
  /** one line per request */
  logRequests: boolean
}

/** Stands where others have the name of their network: the paid surface has routes of the same names. */
const SURFACE = 'paid'

/** The paid surface over the handlers of one network; `start` calls it with the context it serves the key surface from. */
export async function startPaid(
  config: Config,
  ctx: ApiContext,
  databaseUrl: string,
  { allowLocal, movePort, metrics, logRequests }: StartPaidOptions,
  { log }: Runtime,
): Promise<StartedPaid> {
  const address = { host: config.paid.host, port: await choosePort(config.paid, movePort) }
  const plan = await planPayments(config.paid, originOf(address), { allowLocal })
  // The key surface's limits are not for those who pay per request.
  const operations = openOperations(ctx, { sells: config.paid.sells })
  try {
    const clientAddress = createClientAddress(config.access.trusted_proxies)
    const paid = await openPaid({
      settings: plan.settings,
      lookup: createLookup(operations),
      operations: operations.items,
      check: operations.check,
      databaseUrl,
      plans: { configs: config.access.plans, secrets: await keySecretsOf(config) },
      log,
      metrics: createPayMetrics(metrics.registry),
      clientAddress,
      addRoutes: addMcpToPaidSurface,
      isChainKept: plan.local === undefined,
    })
    observeRequests(paid.app, { metrics, network: SURFACE, clientAddress, log: logRequests ? log : undefined })
    const { url } = await listenOrFree(paid.app, address, false).catch(async (error) => {
      await paid.close()
      throw error
    })
    const close = async () => {
      await paid.close()
      operations.close()
      await plan.stop()
    }
    const checks = [
      { name: 'ledger', run: async () => ({ ok: true, ...(await paid.countOpen()) }) },
      { name: 'settler', run: () => paid.checkSettler().catch(explainSettler) },
    ]
    return { url, local: plan.local, checks, close }
  } catch (error) {
    operations.close()
    await plan.stop()
    throw error
  }
}

/** Secrets of keys, where some are sold. */
async function keySecretsOf(config: Config): Promise<KeySecrets | undefined> {
  const { plans, environment } = config.access
  return plans.some(({ sold }) => sold) ? { environment, pepper: await pepperOf(config) } : undefined
}

function explainSettler(error: unknown): CheckResult {
  const code = error instanceof ChainAway ? error.code : 'failed'
  return { ok: false, reason: code === 'chain_gas' ? 'the settler cannot pay the gas of a transfer' : code }
}

/** Offers name the address, so it must be known before anything is offered. */
async function choosePort({ host, port }: { host: string; port: number }, movePort: boolean): Promise<number> {
  if (port !== 0 && !(movePort && (await isTaken(host, port)))) return port
  return freePort()
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect({ host, port })
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
}

/** Throws a sentence when payments cannot be taken on the configured chains. Asks no secret. */
export function checkPaymentChains({ paid }: Config): Promise<void> {
  return checkChains(chainsFrom(paid))
}
