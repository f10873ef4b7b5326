import type { Command } from 'commander'
import { schemaOf } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { openReader } from '../../store/db.ts'
import { listRegistry } from '../../store/read/rollup/list.ts'
import { editRegistry, loadRollups } from '../../store/rollups/edit-rollups.ts'
import type { RegistryEditor } from '../../store/rollups/editor.ts'
import { formatTable } from '../terminal/table.ts'
import { openDatabase } from '../wiring/database.ts'
import { type CommonOptions, configOf, networkOf, withCommonOptions } from '../wiring/options.ts'
import { runCommand } from '../wiring/runtime.ts'
import { migrateNetwork } from '../wiring/schemas.ts'

type Target = { url: string; schema: string; network: string }

export function registerRollupsCommand(program: Command): void {
  const rollups = program.command('rollups').description('the rollup registry: load, list, verify, delete')
  const command = (name: string, description: string) =>
    withCommonOptions(rollups.command(name).description(description)).option(
      '--network <name>',
      'network of the configuration (default: the main one)',
    )

  command('load', 'add the rollups of a JSON file; those that are known are left alone')
    .argument('<file>', 'JSON array of rollups')
    .action((file: string, options: CommonOptions) =>
      withRegistry(options, async ({ url, schema, network }) => {
        const added = await loadRollups(url, schema, file)
        process.stdout.write(`${added} rollup(s) added to ${network}\n`)
      }),
    )

  command('list', 'all entries, verified or not').action((options: CommonOptions) =>
    withRegistry(options, async ({ url, schema }) => {
      const db = openReader({ url, schema, max: 1 })
      try {
        const rows = await listRegistry(db)
        process.stdout.write(rows.length > 0 ? formatTable(rows) : 'the registry is empty\n')
      } finally {
        await db.end()
      }
    }),
  )

  command('verify', 'list a rollup and link its blobs')
    .argument('<id>', 'id of the rollup')
    .action((id: string, options: CommonOptions) =>
      change(id, options, 'is verified', (registry, number) => registry.verify(number)),
    )

  command('delete', 'remove a rollup and everything counted for it')
    .argument('<id>', 'id of the rollup')
    .action((id: string, options: CommonOptions) =>
      change(id, options, 'is deleted', (registry, number) => registry.remove(number)),
    )
}

function withRegistry(options: CommonOptions, work: (target: Target) => Promise<void>): Promise<never> {
  const config = configOf(options)
  return runCommand(config.log_level, async () => {
    const network = networkOf(config, options.network)
    const database = await openDatabase(config)
    try {
      await migrateNetwork(database, network)
      await work({ url: database.urlOf(network), schema: schemaOf(network), network: network.name })
    } finally {
      await database.stop()
    }
  })
}

function change(
  id: string,
  options: CommonOptions,
  outcome: string,
  edit: (registry: RegistryEditor, id: number) => Promise<boolean>,
): Promise<never> {
  return withRegistry(options, async ({ url, schema, network }) => {
    const number = /^\d{1,9}$/.test(id) ? Number(id) : 0
    if (!(await editRegistry(url, schema, (registry) => edit(registry, number))))
      throw new OperatorError(
        'unknown_rollup',
        `there is no rollup ${id} on ${network}: \`astrolabe rollups list\` shows all of them`,
      )
    process.stdout.write(`rollup ${id} ${outcome}\n`)
  })
}
