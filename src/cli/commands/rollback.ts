import type { Command } from 'commander'
import { schemaOf } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { Writer } from '../../store/write/writer.ts'
import { openDatabase } from '../wiring/database.ts'
import { type CommonOptions, configOf, networkOf, readCount, withCommonOptions } from '../wiring/options.ts'
import { runCommand } from '../wiring/runtime.ts'
import { migrateNetwork } from '../wiring/schemas.ts'

export function registerRollbackCommand(program: Command): void {
  withCommonOptions(
    program
      .command('rollback')
      .description(
        'take the last heights of an index back, the indexer reads them again from its nodes; old heights go in groups, so that it may be some more than asked for',
      ),
  )
    .option('--network <name>', 'network of the configuration (default: the main one)')
    .requiredOption('--to <height>', 'the last height that stays; 0 takes everything back', readCount)
    .action((options: CommonOptions & { to: number }) => {
      const config = configOf(options)
      return runCommand(config.log_level, async ({ signal }) => {
        const network = networkOf(config, options.network)
        const database = await openDatabase(config)
        try {
          await migrateNetwork(database, network)
          const target = {
            url: database.urlOf(network),
            schema: schemaOf(network),
            undoDepth: config.indexing.max_rollback_depth,
          }
          process.stdout.write(`${await takeBack(target, options.to, signal)}\n`)
        } finally {
          await database.stop()
        }
      })
    })
}

type Target = Parameters<typeof Writer.open>[0]

async function takeBack(target: Target, height: number, signal: AbortSignal): Promise<string> {
  const writer = await Writer.open(target, signal, () => {
    throw new OperatorError('writer_at_work', `an indexer of ${target.schema} is at work: stop it before heights are taken back`)
  })
  try {
    if (!writer.head) throw new OperatorError('nothing_indexed', 'nothing is indexed yet')
    const last = writer.head.last_height
    if (height >= last) return `the index ends at height ${last}, nothing was taken back`
    if (height === 0) {
      await writer.clear()
      return `all heights up to ${last} were taken back: the chain is read again from its beginning`
    }
    const [lowest = last] = await writer.listReach()
    if (height < lowest)
      throw new OperatorError(
        'undo_missing',
        `heights can be taken back to ${lowest}, not to ${height}, and to the beginning with --to 0; nothing was changed`,
      )
    const reached = await writer.revertTo(height)
    return `heights ${reached + 1} to ${last} were taken back`
  } finally {
    await writer.close()
  }
}
