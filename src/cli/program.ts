import { Command } from 'commander'
import { readBuildInfo } from '../lib/build-info.ts'
import { addExamples } from './terminal/examples.ts'

type Register = (program: Command) => void

/** All commands, in the order in which a newcomer meets them. Each brings its own part of the program along. */
const COMMANDS: Record<string, () => Promise<Register>> = {
  start: async () => (await import('./commands/start.ts')).registerStartCommand,
  status: async () => (await import('./commands/status.ts')).registerStatusCommand,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).registerDoctorCommand,
  index: async () => (await import('./commands/index.ts')).registerIndexCommand,
  serve: async () => (await import('./commands/serve.ts')).registerServeCommand,
  pay: async () => (await import('./commands/pay/pay.ts')).registerPayCommand,
  'pay-demo': async () => (await import('./commands/pay/pay-demo.ts')).registerPayDemoCommand,
  mcp: async () => (await import('./commands/mcp.ts')).registerMcpCommand,
  operator: async () => (await import('./commands/operator.ts')).registerOperatorCommand,
  keys: async () => (await import('./commands/keys.ts')).registerKeysCommand,
  webhooks: async () => (await import('./commands/webhooks.ts')).registerWebhooksCommand,
  rollups: async () => (await import('./commands/rollups.ts')).registerRollupsCommand,
  migrate: async () => (await import('./commands/migrate.ts')).registerMigrateCommand,
  partitions: async () => (await import('./commands/partitions.ts')).registerPartitionsCommand,
  rollback: async () => (await import('./commands/rollback.ts')).registerRollbackCommand,
  snapshot: async () => (await import('./commands/snapshot.ts')).registerSnapshotCommand,
  restore: async () => (await import('./commands/restore.ts')).registerRestoreCommand,
  export: async () => (await import('./commands/export.ts')).registerExportCommand,
  record: async () => (await import('./commands/record.ts')).registerRecordCommand,
  replay: async () => (await import('./commands/replay.ts')).registerReplayCommand,
  audit: async () => (await import('./commands/audit.ts')).registerAuditCommand,
  completion: async () => (await import('./commands/completion.ts')).registerCompletionCommand,
}

/** With `args` only the command that they name is loaded; those that name none, or need to know all, have all. */
export async function buildProgram(args: readonly string[] = []): Promise<Command> {
  const { version, commit, description } = readBuildInfo()
  const program = new Command('astrolabe').description(description).version(`${version} (${commit})`).showHelpAfterError()
  for (const name of namesOf(args)) (await COMMANDS[name]!())(program)
  addExamples(program)
  program.addHelpText(
    'after',
    '\nIn a clone: npm run --silent astrolabe -- COMMAND\nastrolabe COMMAND --help shows its options with examples.',
  )
  return program
}

function namesOf([word = '']: readonly string[]): string[] {
  if (word === '--version' || word === '-V') return []
  return word !== 'completion' && Object.hasOwn(COMMANDS, word) ? [word] : Object.keys(COMMANDS)
}
