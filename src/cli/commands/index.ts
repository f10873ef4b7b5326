import type { Command } from 'commander'
import { schemaOf } from '../../config/schema.ts'
import { migrate, SHARED_SCHEMA } from '../../store/migrate.ts'
import { openDatabase } from '../database.ts'
import { indexNetwork } from '../indexer.ts'
import { type CommonOptions, configOf, networkOf, withCommonOptions } from '../options.ts'
import { runCommand } from '../runtime.ts'
import { openSource } from '../source.ts'

type IndexOptions = CommonOptions & { recording?: string; rpc?: string; until?: string; once?: boolean }

export function registerIndexCommand(program: Command): void {
  withCommonOptions(program.command('index').description('index one network from a node or a recording'))
    .option('--network <name>', 'network of the configuration (default: the main one)')
    .option('--recording <dir>', 'index this recording instead of the configured source')
    .option('--rpc <urls>', 'index from these nodes (comma-separated) instead of the configured source')
    .option('--until <height>', 'stop at this height')
    .option('--once', 'stop at the head of the source instead of following it')
    .action((options: IndexOptions) => {
      const config = configOf(options)
      return runCommand(config.log_level, async (runtime) => {
        const { recording: _recording, rpc: _rpc, ...rest } = networkOf(config, options.network)
        const network = {
          ...rest,
          ...(options.recording !== undefined
            ? { recording: options.recording }
            : options.rpc !== undefined
              ? { rpc: options.rpc.split(',') }
              : { ...(_rpc ? { rpc: _rpc } : { recording: _recording! }) }),
        }
        const database = await openDatabase(config)
        try {
          await migrate(database.url, SHARED_SCHEMA, 'shared')
          await migrate(database.url, schemaOf(network), 'network')
          const source = await openSource(network, { live: false, log: runtime.log })
          await indexNetwork(
            config,
            network,
            source,
            { url: database.url, follow: !options.once, ...(options.until !== undefined && { until: Number(options.until) }) },
            runtime,
          )
          await source.close()
        } finally {
          await database.stop()
        }
      })
    })
}
