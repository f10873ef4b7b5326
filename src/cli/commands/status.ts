import type { Command } from 'commander'
import { type Config, type NetworkConfig, schemaOf } from '../../config/schema.ts'
import { NetworkHealth } from '../../observability/network-health.ts'
import { openReader } from '../../store/db.ts'
import { SHARED_SCHEMA } from '../../store/migrations/migrate.ts'
import { listSourceStates, type SourceReport } from '../../store/offchain/report.ts'
import { findHead } from '../../store/read/head/head.ts'
import { findStateProof, type StateProofRow } from '../../store/read/head/state-proof.ts'
import { findVerified } from '../../store/read/head/verified.ts'
import { formatTable } from '../terminal/table.ts'
import { openDatabase } from '../wiring/database.ts'
import { isMissingTable } from '../wiring/missing-tables.ts'
import { type CommonOptions, configOf, withCommonOptions } from '../wiring/options.ts'
import { runCommand } from '../wiring/runtime.ts'

/** For programs: what is not known is null. */
type NetworkReport = {
  network: string
  kind: string
  chain_id: string | null
  height: number | null
  node_height: number | null
  lag_blocks: number | null
  last_time: string | null
  /** first height of an index that began without the state of the chain */
  no_state_before: number | null
  /** up to it all txs are those that the headers seal */
  verified_height: number | null
  /** why the next height is not verified, where that is known */
  verified_trouble: string | null
  /** when the index last agreed with proofs of the chain's state */
  state_proven: StateProofRow | null
}

export function registerStatusCommand(program: Command): void {
  withCommonOptions(program.command('status').description('show how far every network is indexed, and the state of its sources'))
    .option('--json', 'print JSON')
    .action((options: CommonOptions & { json?: boolean }) => {
      const config = configOf(options)
      return runCommand(config.log_level, async () => {
        const database = await openDatabase(config)
        try {
          const networks = await Promise.all(config.networks.map((network) => reportNetwork(database.urlOf(network), network)))
          const urls = new Set([database.url, ...config.networks.map(database.urlOf)])
          const sources = (await Promise.all([...urls].map((url) => reportSources(config, url)))).flat()
          process.stdout.write(options.json ? `${JSON.stringify({ networks, sources }, null, 1)}\n` : describe(networks, sources))
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
    chain_id: network.chain_id ?? null,
    height: null,
    node_height: null,
    lag_blocks: null,
    last_time: null,
    no_state_before: null,
    verified_height: null,
    verified_trouble: null,
    state_proven: null,
  }
  try {
    const head = await findHead(db)
    const lag = await new NetworkHealth({
      name: network.name,
      db,
      isIndexer: false,
      isLive: network.rpc !== undefined,
      maxLagSeconds: 60,
    }).readLag()
    if (!head || !lag) return report
    const verified = await findVerified(db)
    return {
      ...report,
      chain_id: head.chain_id,
      height: lag.height,
      node_height: lag.sourceHeight ?? null,
      lag_blocks: lag.lagBlocks,
      last_time: head.last_time,
      no_state_before: head.has_state ? null : head.first_height,
      verified_height: verified?.height ?? null,
      verified_trouble: verified?.trouble ?? null,
      state_proven: (await findStateProof(db)) ?? null,
    }
  } catch (error) {
    if (isMissingTable(error)) return report
    throw error
  } finally {
    await db.end()
  }
}

/** The database knows networks by their schemas; a reader knows them by their names. */
async function reportSources(config: Config, url: string): Promise<SourceReport[]> {
  const sql = openReader({ url, schema: SHARED_SCHEMA, max: 1 })
  try {
    const names = new Map(config.networks.map((network) => [schemaOf(network), network.name]))
    return (await listSourceStates(sql)).map((state) => ({ ...state, network: names.get(state.network) ?? state.network }))
  } catch (error) {
    if (isMissingTable(error)) return []
    throw error
  } finally {
    await sql.end()
  }
}

function toRow({ network, kind, chain_id, height, node_height, lag_blocks, last_time }: NetworkReport) {
  const lag = lag_blocks === 0 ? 'nothing' : `${lag_blocks} ${lag_blocks === 1 ? 'block' : 'blocks'}`
  return {
    network,
    kind,
    chain: chain_id ?? '-',
    height: height ?? '-',
    source: node_height ?? '-',
    behind: height === null ? 'nothing is indexed yet' : lag,
    'last block': last_time?.slice(0, 19).replace('T', ' ') ?? '-',
  }
}

function tellProof({ height, records, proven_at: at }: StateProofRow): string {
  const counted = records === 1 ? '1 record agreed with a proof' : `${records} records agreed with proofs`
  return `${counted} of the state after height ${height} at ${at.slice(0, 19).replace('T', ' ')}`
}

function describe(networks: NetworkReport[], sources: SourceReport[]): string {
  const rows = sources.map(({ network, source, checked_at: checked, error }) => ({
    network,
    'off-chain source': source,
    'last read': checked?.slice(0, 19) ?? 'never',
    trouble: error ?? 'none',
  }))
  const stateless = networks.filter(({ no_state_before }) => no_state_before !== null)
  const remarks = stateless.map(
    ({ network, no_state_before: first }) => `${network} begins at height ${first} without the state of the chain before it\n`,
  )
  for (const { network, height, verified_height: verified, verified_trouble: trouble } of networks) {
    if (verified === null || verified === height) continue
    const reason = trouble === null ? 'the others are being verified' : trouble
    remarks.push(`${network}: txs are verified up to height ${verified}; ${reason}\n`)
  }
  remarks.push(...networks.flatMap(({ network, state_proven: proof }) => (proof ? [`${network}: ${tellProof(proof)}\n`] : [])))
  return formatTable(networks.map(toRow)) + remarks.join('') + (rows.length > 0 ? `\n${formatTable(rows)}` : '')
}
