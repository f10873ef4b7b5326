#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { packagePath } from '../lib/package-path.ts'
import { registerAuditCommand } from './commands/audit.ts'
import { registerIndexCommand } from './commands/index.ts'
import { registerMigrateCommand } from './commands/migrate.ts'
import { registerPayCommand } from './commands/pay.ts'
import { registerPayDemoCommand } from './commands/pay-demo.ts'
import { registerRecordCommand } from './commands/record.ts'
import { registerServeCommand } from './commands/serve.ts'
import { registerStartCommand } from './commands/start.ts'

const { version, description } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  version: string
  description: string
}

const program = new Command('astrolabe').description(description).version(version).showHelpAfterError()
registerStartCommand(program)
registerIndexCommand(program)
registerMigrateCommand(program)
registerPayCommand(program)
registerPayDemoCommand(program)
registerServeCommand(program)
registerRecordCommand(program)
registerAuditCommand(program)

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`astrolabe: ${(error as Error).message}\n`)
  process.exit(1)
}
