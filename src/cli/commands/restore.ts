import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, type NetworkConfig, schemaOf } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { confirmBlock } from '../../pipeline/verify/confirm-block.ts'
import { linkChecks } from '../../store/audit/chain-checks.ts'
import { runChecks, type Violation } from '../../store/audit/check.ts'
import { openReader } from '../../store/db.ts'
import { checkFiles } from '../../store/snapshot/check-files.ts'
import { type Manifest, readManifest } from '../../store/snapshot/manifest.ts'
import { migrationsOf, restoreSnapshot } from '../../store/snapshot/restore-snapshot.ts'
import { TableSteps } from '../terminal/progress.ts'
import { openDatabase } from '../wiring/database.ts'
import {
  type CommonOptions,
  configOf,
  networkOf,
  readCount,
  type SourceOptions,
  withCommonOptions,
  withSource,
} from '../wiring/options.ts'
import { runCommand } from '../wiring/runtime.ts'
import { segmentReaderOf } from '../wiring/segments.ts'
import { openSource } from '../wiring/source.ts'
import { auditBlocks, type BlocksAudit, MIN_NODES, SAMPLED_BLOCKS } from './audit-blocks.ts'

type RestoreOptions = CommonOptions & SourceOptions & { minNodes: number; blocks: number; all?: boolean }

export function registerRestoreCommand(program: Command): void {
  withCommonOptions(
    program
      .command('restore')
      .argument('<dir>', 'folder of the snapshot')
      .description('fill the empty tables of a network from a snapshot; then `index` or `start` continues from its height'),
  )
    .option('--network <name>', 'network of the configuration (default: the main one)')
    .option('--rpc <urls>', 'ask these nodes (comma-separated) instead of the configured ones')
    .option('--min-nodes <count>', 'nodes that have to confirm the last block of the snapshot; 0 asks none', readCount, MIN_NODES)
    .option('--blocks <count>', 'heights that are recomputed from blocks of the nodes, at random', readCount, SAMPLED_BLOCKS)
    .option('--all', 'recompute every height from blocks of the nodes')
    .action((dir: string, options: RestoreOptions) => {
      const config = configOf(options)
      return runCommand(config.log_level, async ({ signal }) => {
        const network = withSource(networkOf(config, options.network), options)
        const folder = resolve(dir)
        const manifest = await readManifest(folder)
        const { chain_id, height } = manifest
        await migrationsOf(manifest)
        if (network.chain_id !== undefined && network.chain_id !== chain_id)
          throw new OperatorError(
            'wrong_chain',
            `the snapshot is of chain ${chain_id}, network ${network.name} is configured for ${network.chain_id}`,
          )
        await checkFiles(folder, manifest, signal)
        const nodes = await askNodes(network, manifest, options.minNodes, signal)
        const database = await openDatabase(config)
        const steps = new TableSteps('restore')
        try {
          const url = database.urlOf(network)
          const count = options.all ? 'all' : options.blocks
          await restoreSnapshot({
            url,
            schema: schemaOf(network),
            folder,
            manifest,
            signal,
            onTable: (table, total) => steps.done(table, total),
            verify: async (schema) => {
              if (nodes.length === 0) return
              const audit = { network, url, schema, count, minNodes: options.minNodes, signal } as const
              process.stdout.write(`${await verifyRestored(config, audit)}\n`)
            },
          })
          const confirmed = nodes.length > 0 ? `confirmed by ${nodes.join(', ')}` : 'confirmed by nobody'
          process.stdout.write(
            `network ${network.name} holds ${chain_id} up to height ${height} (${confirmed}); the indexer continues from there\n`,
          )
        } finally {
          steps.end()
          await database.stop()
        }
      })
    })
}

/** Names of the nodes that have the last block of the snapshot. */
async function askNodes(network: NetworkConfig, manifest: Manifest, needed: number, signal: AbortSignal): Promise<string[]> {
  if (needed === 0) return []
  // One node that is named twice is one witness.
  const source = await openSource({ ...network, ...(network.rpc && { rpc: [...new Set(network.rpc)] }) })
  try {
    const { chain_id: chainId, height, block_hash: hash } = manifest
    return await confirmBlock(source.witnesses(), { chainId, height, hash }, needed, signal)
  } finally {
    await source.close()
  }
}

const TIMEOUT_MS = 3_600_000

/**
 * Compares what a snapshot brought with the chain, below the block that nodes have confirmed; throws when its rows do not follow from it.
 * State is no part of it: steps that prove it belong here too. Gives what was done, for the operator.
 */
async function verifyRestored(
  config: Config,
  { url, schema, ...audit }: Omit<BlocksAudit, 'sql'> & { url: string; schema: string },
): Promise<string> {
  const segments = segmentReaderOf(config, audit.network)
  const sql = openReader({ url, schema, max: 1, statementTimeoutMs: TIMEOUT_MS, segments })
  try {
    const violations: Violation[] = []
    for await (const step of runChecks(sql, linkChecks)) violations.push(...step.violations)
    const blocks = await auditBlocks({ ...audit, sql })
    violations.push(...blocks.violations)
    if (violations.length === 0) return blocks.isSkipped ? `nothing was recomputed: ${blocks.reason}` : `ok: ${blocks.name}`
    const lines = violations.map(({ detail }) => `\n       ${detail}`).join('')
    throw new OperatorError('false_snapshot', `the snapshot is not what the chain says, and nothing of it was kept:${lines}`)
  } finally {
    await sql.end()
  }
}
