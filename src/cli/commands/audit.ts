import type { Command } from 'commander'
import { schemaOf } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { seriesChecks } from '../../store/aggregate/audit.ts'
import { counterChecks, linkChecks } from '../../store/audit/chain-checks.ts'
import { runChecks } from '../../store/audit/check.ts'
import { moneyChecks, stakeChecks } from '../../store/audit/money-checks.ts'
import { openReader, snapshot } from '../../store/db.ts'
import { openDatabase } from '../database.ts'
import { type CommonOptions, configOf, networkOf, withCommonOptions } from '../options.ts'
import { runCommand } from '../runtime.ts'

const AUDIT_TIMEOUT_MS = 3_600_000

export function registerAuditCommand(program: Command): void {
  withCommonOptions(program.command('audit').description('recount everything: links, counters, money, stake, time series'))
    .option('--network <name>', 'network of the configuration (default: the main one)')
    .action((options: CommonOptions) => {
      const config = configOf(options)
      return runCommand(config.log_level, async () => {
        const network = networkOf(config, options.network)
        const database = await openDatabase(config)
        const db = openReader({ url: database.url, schema: schemaOf(network), max: 1, statementTimeoutMs: AUDIT_TIMEOUT_MS })
        let failed = 0
        try {
          await snapshot(db, async (sql) => {
            for await (const { check, violations } of runChecks(sql, [
              ...linkChecks,
              ...counterChecks,
              ...moneyChecks,
              ...stakeChecks,
              ...seriesChecks,
            ])) {
              process.stdout.write(`${violations.length === 0 ? 'ok  ' : 'FAIL'} ${check.invariant} ${check.name}\n`)
              for (const { detail } of violations) process.stdout.write(`       ${detail}\n`)
              failed += violations.length
            }
          })
        } finally {
          await db.end()
          await database.stop()
        }
        if (failed > 0) throw new OperatorError('audit_failed', `${failed} violation(s) found on network ${network.name}`)
      })
    })
}
