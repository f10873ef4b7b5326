import { resolve } from 'node:path'
import type { Command } from 'commander'
import { schemaOf } from '../../config/schema.ts'
import { readBuildInfo } from '../../lib/build-info.ts'
import { makeSnapshot } from '../../store/snapshot/make-snapshot.ts'
import { TableSteps } from '../terminal/progress.ts'
import { openDatabase } from '../wiring/database.ts'
import { explainNotIndexed } from '../wiring/missing-tables.ts'
import { type CommonOptions, configOf, networkOf, withCommonOptions } from '../wiring/options.ts'
import { runCommand } from '../wiring/runtime.ts'

export function registerSnapshotCommand(program: Command): void {
  withCommonOptions(
    program
      .command('snapshot')
      .argument('<dir>', 'new or empty folder for the snapshot')
      .description(
        'publish the index of a network at its current height: all chain tables with checksums, while everything runs',
      ),
  )
    .option('--network <name>', 'network of the configuration (default: the main one)')
    .action((dir: string, options: CommonOptions) => {
      const config = configOf(options)
      return runCommand(config.log_level, async ({ signal }) => {
        const network = networkOf(config, options.network)
        const folder = resolve(dir)
        const { version, commit } = readBuildInfo()
        const database = await openDatabase(config)
        const steps = new TableSteps('snapshot')
        try {
          const { manifest, sha256 } = await makeSnapshot({
            url: database.urlOf(network),
            schema: schemaOf(network),
            folder,
            program: `${version} (${commit})`,
            signal,
            onTable: (table, total) => steps.done(table, total),
          })
          const { chain_id, height, block_hash, tables } = manifest
          const megabytes = tables.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6
          process.stdout.write(
            `${chain_id} at height ${height} (block ${block_hash}) is in ${folder}: ${tables.length} tables, ${megabytes.toFixed(1)} MB\n` +
              `SHA-256 of its manifest.json: ${sha256}\n`,
          )
        } catch (error) {
          throw explainNotIndexed(network, error)
        } finally {
          steps.end()
          await database.stop()
        }
      })
    })
}
