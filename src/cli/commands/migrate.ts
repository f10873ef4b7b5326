import type { Command } from 'commander'
import { migrate, readMigrations, SHARED_SCHEMA } from '../../store/migrations/migrate.ts'
import { StepLine } from '../terminal/progress.ts'
import { openDatabase } from '../wiring/database.ts'
import { type CommonOptions, configOf, withCommonOptions } from '../wiring/options.ts'
import { runCommand } from '../wiring/runtime.ts'
import { migrateNetwork } from '../wiring/schemas.ts'

export function registerMigrateCommand(program: Command): void {
  withCommonOptions(program.command('migrate').description('bring the database schemas up to date')).action(
    (options: CommonOptions) => {
      const config = configOf(options)
      return runCommand(config.log_level, async ({ log }) => {
        const database = await openDatabase(config)
        const [shared, network] = [await readMigrations('shared'), await readMigrations('network')]
        const steps = new StepLine('migrate', shared.length + network.length * config.networks.length)
        try {
          const report = (schema: string) => (migration: { name: string }) => {
            log.info({ schema, migration: migration.name }, 'migration applied')
            steps.done(`${schema} ${migration.name}`)
          }
          await migrate(database.url, SHARED_SCHEMA, 'shared', report(SHARED_SCHEMA))
          for (const network of config.networks) await migrateNetwork(database, network, report)
          steps.end()
          process.stdout.write('all schemas are up to date\n')
        } finally {
          steps.end()
          await database.stop()
        }
      })
    },
  )
}
