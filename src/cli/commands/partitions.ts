import { type Command, InvalidArgumentError } from 'commander'
import { schemaOf } from '../../config/schema.ts'
import { partitionTables } from '../../store/partitions/convert.ts'
import { detachBelow, listPartitions } from '../../store/partitions/detach.ts'
import { readLayout } from '../../store/partitions/layout.ts'
import { openPartitioner } from '../../store/partitions/make.ts'
import { formatTable } from '../terminal/table.ts'
import { openDatabase } from '../wiring/database.ts'
import { type CommonOptions, configOf, networkOf, withCommonOptions } from '../wiring/options.ts'
import { runCommand } from '../wiring/runtime.ts'
import { migrateNetwork } from '../wiring/schemas.ts'

/** About five weeks of the main network: 26 partitions for all of it. */
const HEIGHTS = 500_000

export function registerPartitionsCommand(program: Command): void {
  const partitions = program.command('partitions').description('tables of txs and messages, cut by height: make, list, detach')
  const command = (name: string, description: string) =>
    withCommonOptions(partitions.command(name).description(description)).option(
      '--network <name>',
      'network of the configuration (default: the main one)',
    )

  command('make', 'cut the tables into partitions, while the index is written and read; further ones are made by the indexer')
    .option('--heights <number>', 'heights of a partition', parseHeight, HEIGHTS)
    .action((options: CommonOptions & { heights: number }) =>
      withPartitions(options, async ({ client, schema, signal }) => {
        const { heights, first_end, made_to } = await partitionTables(client, {
          schema,
          heights: options.heights,
          signal,
          onStep: (step) => process.stderr.write(`${step}\n`),
        })
        process.stdout.write(
          `partitions of ${heights} heights: the first holds everything below ${first_end}, those up to ${made_to} are made\n`,
        )
      }),
    )

  command('list', 'all partitions and their size').action((options: CommonOptions) =>
    withPartitions(options, async ({ client }) => {
      const layout = await readLayout(client)
      process.stdout.write(layout?.is_active ? formatTable(await listPartitions(client, layout)) : 'not partitioned\n')
    }),
  )

  command('detach', 'take old partitions out of the index; their tables stay, to be dumped, moved or dropped')
    .requiredOption('--below <height>', 'detach partitions that end at this height or before', parseHeight)
    .action((options: CommonOptions & { below: number }) =>
      withPartitions(options, async ({ client, schema }) => {
        const names = await detachBelow(client, schema, options.below)
        process.stdout.write(names.length > 0 ? `detached: ${names.join(', ')}\n` : 'no partition ends there or before\n')
      }),
    )
}

function parseHeight(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('a number of heights above 0 is needed')
  return Number(text)
}

type Target = { client: Awaited<ReturnType<typeof openPartitioner>>; schema: string; signal: AbortSignal }

function withPartitions(options: CommonOptions, work: (target: Target) => Promise<void>): Promise<never> {
  const config = configOf(options)
  return runCommand(config.log_level, async ({ signal }) => {
    const network = networkOf(config, options.network)
    const database = await openDatabase(config)
    try {
      await migrateNetwork(database, network)
      const schema = schemaOf(network)
      const client = await openPartitioner(database.urlOf(network), schema)
      try {
        await work({ client, schema, signal })
      } finally {
        await client.end()
      }
    } finally {
      await database.stop()
    }
  })
}
