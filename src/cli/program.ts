import { Command } from 'commander'
import { readBuildInfo } from '../lib/build-info.ts'
import { registerAuditCommand } from './commands/audit.ts'
import { registerCompletionCommand } from './commands/completion.ts'
import { registerDoctorCommand } from './commands/doctor.ts'
import { registerExportCommand } from './commands/export.ts'
import { registerIndexCommand } from './commands/index.ts'
import { registerKeysCommand } from './commands/keys.ts'
import { registerMcpCommand } from './commands/mcp.ts'
import { registerMigrateCommand } from './commands/migrate.ts'
import { registerOperatorCommand } from './commands/operator.ts'
import { registerPayCommand } from './commands/pay.ts'
import { registerPayDemoCommand } from './commands/pay-demo.ts'
import { registerRecordCommand } from './commands/record.ts'
import { registerReplayCommand } from './commands/replay.ts'
import { registerRestoreCommand } from './commands/restore.ts'
import { registerRollupsCommand } from './commands/rollups.ts'
import { registerServeCommand } from './commands/serve.ts'
import { registerSnapshotCommand } from './commands/snapshot.ts'
import { registerStartCommand } from './commands/start.ts'
import { registerStatusCommand } from './commands/status.ts'
import { registerWebhooksCommand } from './commands/webhooks.ts'
import { addExamples } from './examples.ts'

/** All commands, in the order in which a newcomer meets them. */
export function buildProgram(): Command {
  const { version, commit, description } = readBuildInfo()
  const program = new Command('astrolabe').description(description).version(`${version} (${commit})`).showHelpAfterError()
  registerStartCommand(program)
  registerStatusCommand(program)
  registerDoctorCommand(program)
  registerIndexCommand(program)
  registerServeCommand(program)
  registerPayCommand(program)
  registerPayDemoCommand(program)
  registerMcpCommand(program)
  registerOperatorCommand(program)
  registerKeysCommand(program)
  registerWebhooksCommand(program)
  registerRollupsCommand(program)
  registerMigrateCommand(program)
  registerSnapshotCommand(program)
  registerRestoreCommand(program)
  registerExportCommand(program)
  registerRecordCommand(program)
  registerReplayCommand(program)
  registerAuditCommand(program)
  registerCompletionCommand(program)
  addExamples(program)
  program.addHelpText(
    'after',
    '\nIn a clone: npm run --silent astrolabe -- COMMAND\nastrolabe COMMAND --help shows its options with examples.',
  )
  return program
}
