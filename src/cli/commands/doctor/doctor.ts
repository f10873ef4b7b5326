import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, schemaOf } from '../../../config/schema.ts'
import { OperatorError } from '../../../lib/errors.ts'
import { openObjectStore } from '../../../lib/object-store/open.ts'
import { readMigrations, SHARED_SCHEMA } from '../../../store/migrations/migrate.ts'
import { inspectDatabase } from '../../../store/replicas/inspect.ts'
import { explainFailure } from '../../terminal/explain.ts'
import { checkClock, type Finding } from '../../terminal/finding.ts'
import { openDatabase } from '../../wiring/database.ts'
import { findIndexed } from '../../wiring/indexed.ts'
import { type CommonOptions, configOf, withCommonOptions } from '../../wiring/options.ts'
import { runCommand } from '../../wiring/runtime.ts'
import { checkPorts } from './port-check.ts'
import { checkSources } from './source-check.ts'

const MIN_POSTGRES = 150_000
const LOW_DISK = 0.15
/** An empty database with its log is this large. */
const MIN_DISK_BYTES = 300e6

/** Looks at everything a start needs and says in words what is missing. Changes nothing but absent folders. */
export function registerDoctorCommand(program: Command): void {
  withCommonOptions(
    program
      .command('doctor')
      .description('check settings, disk, clock, ports, database, nodes, off-chain sources and the payment chain before a start'),
  ).action((options: CommonOptions) => {
    const config = configOf(options)
    return runCommand(config.log_level, async () => {
      let failed = 0
      for await (const { level, what, detail } of examine(config)) {
        if (level === 'fail') failed++
        process.stdout.write(`${level.padEnd(4)} ${what}${detail === undefined ? '' : `: ${detail}`}\n`)
      }
      if (failed > 0) throw new OperatorError('not_healthy', `${failed} problem(s) must be fixed before a start`)
    })
  })
}

async function* examine(config: Config): AsyncGenerator<Finding> {
  yield { level: 'ok', what: 'configuration', detail: `networks ${config.networks.map(({ name }) => name).join(', ')}` }
  yield checkNode()
  yield* checkFolder(resolve(config.data))
  if (config.storage.segments !== undefined) yield await checkSegments(config, config.storage.segments)
  const indexed = new Map<string, number>()
  yield* checkDatabase(config, indexed)
  yield* checkPorts(config)
  yield* checkSources(config, indexed)
  if (config.paid.enabled && (config.paid.evm || config.paid.tempo)) yield await checkPayments(config)
}

/** That the token is the one of the settings, and its chain answers; keys and secrets are those of `pay` alone. */
async function checkPayments(config: Config): Promise<Finding> {
  const { checkPaymentChains } = await import('../../wiring/paid.ts')
  const what = 'payment chain'
  const chains = [config.paid.evm, config.paid.tempo].flatMap((chain) => (chain ? [`chain ${chain.chain_id}`] : []))
  return checkPaymentChains(config).then(
    (): Finding => ({ level: 'ok', what, detail: chains.join(', ') }),
    (error: Error): Finding => ({ level: 'fail', what, detail: error.message }),
  )
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNew = major > 20 || (major === 20 && minor >= 19)
  return {
    level: isNew ? 'ok' : 'fail',
    what: 'Node',
    detail: isNew ? process.versions.node : `${process.versions.node}, 20.19 or newer is needed`,
  }
}

async function* checkFolder(folder: string): AsyncGenerator<Finding> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    const { bavail, blocks, bsize } = await statfs(folder)
    const part = bavail / blocks
    const bytes = bavail * bsize
    yield { level: 'ok', what: 'data folder', detail: folder }
    const detail = `${(bytes / 1e9).toFixed(1)} GB free, ${Math.round(part * 100)} %`
    if (bytes < MIN_DISK_BYTES)
      yield { level: 'fail', what: 'disk', detail: `${detail}: make room, or choose another folder with --data` }
    else yield { level: part < LOW_DISK ? 'warn' : 'ok', what: 'disk', detail }
  } catch (error) {
    yield { level: 'fail', what: 'data folder', detail: `${folder} cannot be written: ${(error as Error).message}` }
  }
}

/** That the place of segments takes what is put there. The index works without it, old bytes stay in the database. */
async function checkSegments(config: Config, place: string): Promise<Finding> {
  const what = 'segments'
  const key = `doctor-${process.pid}`
  try {
    const store = openObjectStore(place, config.object_storage)
    await store.put(key, new Uint8Array(1))
    await store.delete(key)
    return { level: 'ok', what, detail: store.name }
  } catch (error) {
    return { level: 'warn', what, detail: `nothing can be kept in ${place}: ${(error as Error).message}` }
  }
}

/** Notes in `indexed` how far each network is. */
async function* checkDatabase(config: Config, indexed: Map<string, number>): AsyncGenerator<Finding> {
  try {
    const database = await openDatabase(config)
    try {
      const shared = config.networks.filter((network) => network.database === undefined)
      const { version, text, now, schemas } = await inspectDatabase(database.url, [SHARED_SCHEMA, ...shared.map(schemaOf)])
      yield version >= MIN_POSTGRES
        ? { level: 'ok', what: 'PostgreSQL', detail: `${text}${database.embedded ? ' (bundled)' : ''}` }
        : { level: 'fail', what: 'PostgreSQL', detail: `${text}, 15 or newer is needed` }
      yield checkClock(now, 'the database')
      for (const [schema, found] of schemas) yield await checkSchema(schema, found)
      for (const network of config.networks.filter((each) => each.database !== undefined))
        for (const [schema, found] of (await inspectDatabase(database.urlOf(network), [schemaOf(network)])).schemas)
          yield await checkSchema(schema, found)
      for (const network of config.networks) {
        const found = await findIndexed(database.urlOf(network), schemaOf(network))
        indexed.set(network.name, found?.height ?? 0)
        if (found?.firstHeight !== undefined)
          yield {
            level: 'ok',
            what: `index of ${network.name}`,
            detail: `begins at height ${found.firstHeight} without state: what depends on it is answered with 409`,
          }
      }
    } finally {
      await database.stop()
    }
  } catch (error) {
    yield { level: 'fail', what: 'PostgreSQL', detail: explainFailure(error) ?? (error as Error).message }
  }
}

async function checkSchema(schema: string, version: number | undefined): Promise<Finding> {
  const known = (await readMigrations(schema === SHARED_SCHEMA ? 'shared' : 'network')).at(-1)?.version ?? 0
  if (version === undefined) return { level: 'ok', what: `schema ${schema}`, detail: 'will be created at the first start' }
  if (version > known)
    return { level: 'fail', what: `schema ${schema}`, detail: `version ${version}, this program knows ${known}` }
  return { level: 'ok', what: `schema ${schema}`, detail: version < known ? 'will be brought up to date' : `version ${version}` }
}
