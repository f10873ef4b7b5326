import type { Command } from 'commander'
import { schemaOf } from '../../config/schema.ts'
import { migrate, SHARED_SCHEMA } from '../../store/migrate.ts'
import { openDatabase } from '../database.ts'
import { type CommonOptions, configOf, withCommonOptions } from '../options.ts'
import { runCommand } from '../runtime.ts'

export function registerMigrateCommand(program: Command): void {
  withCommonOptions(program.command('migrate').description('bring the database schemas up to date')).action(
    (options: CommonOptions) => {
      const config = configOf(options)
      return runCommand(config.log_level, async ({ log }) => {
        const database = await openDatabase(config)
        try {
          const report = (schema: string) => (migration: { name: string }) =>
            log.info({ schema, migration: migration.name }, 'migration applied')
          await migrate(database.url, SHARED_SCHEMA, 'shared', report(SHARED_SCHEMA))
          for (const network of config.networks)
            await migrate(database.url, schemaOf(network), 'network', report(schemaOf(network)))
          process.stdout.write('all schemas are up to date\n')
        } finally {
          await database.stop()
        }
      })
    },
  )
}
