import type { Command } from 'commander'
import { type Config, type NetworkConfig, schemaOf } from '../../config/schema.ts'
import { NetworkHealth } from '../../observability/network-health.ts'
import { openAccessDb } from '../../store/access/db.ts'
import { openReader } from '../../store/db.ts'
import { SHARED_SCHEMA } from '../../store/migrate.ts'
import { listSourceStates, type SourceReport } from '../../store/offchain/report.ts'
import { findHead } from '../../store/read/head.ts'
import { openDatabase } from '../database.ts'
import { type CommonOptions, configOf, withCommonOptions } from '../options.ts'
import { runCommand } from '../runtime.ts'
import { formatTable } from '../table.ts'

/** The tables of a network, or those of the access part, are made when an indexer starts for the first time. */
const MISSING_TABLE = '42P01'

type NetworkReport = {
  network: string
  kind: string
  chain: string
  height: number | string
  source: number | string
  behind: string
  'last block': string
}

export function registerStatusCommand(program: Command): void {
  withCommonOptions(program.command('status').description('how far every network is indexed, and how its sources do'))
    .option('--json', 'as JSON')
    .action((options: CommonOptions & { json?: boolean }) => {
      const config = configOf(options)
      return runCommand(config.log_level, async () => {
        const database = await openDatabase(config)
        try {
          const networks = await Promise.all(config.networks.map((network) => reportNetwork(database.url, network)))
          const sources = await reportSources(database.url)
          process.stdout.write(
            options.json ? `${JSON.stringify({ networks, sources }, null, 1)}\n` : describe(config, networks, sources),
          )
        } finally {
          await database.stop()
        }
      })
    })
}

async function reportNetwork(url: string, network: NetworkConfig): Promise<NetworkReport> {
  const db = openReader({ url, schema: schemaOf(network), max: 1 })
  const report: NetworkReport = {
    network: network.name,
    kind: network.kind,
    chain: network.chain_id ?? '',
    height: '-',
    source: '-',
    behind: 'nothing is indexed yet',
    'last block': '-',
  }
  try {
    const head = await findHead(db)
    const lag = await new NetworkHealth({ name: network.name, db, isIndexer: false, maxLagSeconds: 60 }).readLag()
    if (!head || !lag) return report
    return {
      ...report,
      chain: head.chain_id,
      height: lag.height,
      source: lag.sourceHeight ?? '-',
      behind: lag.lagBlocks === 0 ? 'nothing' : `${lag.lagBlocks} blocks`,
      'last block': head.last_time,
    }
  } catch (error) {
    if ((error as { code?: string }).code === MISSING_TABLE) return report
    throw error
  } finally {
    await db.end()
  }
}

async function reportSources(url: string): Promise<SourceReport[]> {
  const sql = openAccessDb(url, SHARED_SCHEMA, 1)
  try {
    return await listSourceStates(sql)
  } catch (error) {
    if ((error as { code?: string }).code === MISSING_TABLE) return []
    throw error
  } finally {
    await sql.end()
  }
}

function describe(config: Config, networks: NetworkReport[], sources: SourceReport[]): string {
  const names = new Map(config.networks.map((network) => [schemaOf(network), network.name]))
  const rows = sources.map(({ network, source, checked_at: checked, error }) => ({
    network: names.get(network) ?? network,
    'off-chain source': source,
    'last read': checked?.slice(0, 19) ?? 'never',
    trouble: error ?? 'none',
  }))
  return formatTable(networks) + (rows.length > 0 ? `\n${formatTable(rows)}` : '')
}
