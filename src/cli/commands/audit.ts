import type { Command } from 'commander'
import { schemaOf } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { AUDIT_STEPS, type AuditStep, auditIndex } from '../../store/audit/audit.ts'
import { openReader, snapshot } from '../../store/db.ts'
import { type StateProof, saveStateProofAt } from '../../store/write/state-proof.ts'
import { StepLine } from '../terminal/progress.ts'
import { print } from '../terminal/terminal.ts'
import { openDatabase } from '../wiring/database.ts'
import { explainNotIndexed } from '../wiring/missing-tables.ts'
import { type CommonOptions, configOf, networkOf, readCount, withCommonOptions } from '../wiring/options.ts'
import { runCommand } from '../wiring/runtime.ts'
import { segmentReaderOf } from '../wiring/segments.ts'
import { auditBlocks, MIN_NODES, SAMPLED_BLOCKS } from './audit-blocks.ts'
import { auditState } from './audit-state.ts'
import { auditSegments } from './repair-segments.ts'

const AUDIT_TIMEOUT_MS = 3_600_000

export function registerAuditCommand(program: Command): void {
  withCommonOptions(program.command('audit').description('recount everything: links, counters, money, stake, time series'))
    .option('--network <name>', 'network of the configuration (default: the main one)')
    .option('--repair', 'make missing and damaged segments again from a node')
    .option('--blocks <count>', 'heights that are recomputed from blocks of the nodes, at random', readCount, SAMPLED_BLOCKS)
    .option(
      '--prove',
      "compare a sample of balances and delegations, all validators and the supply with proofs of the chain's state",
    )
    .option('--all', 'recompute every height from blocks of the nodes; with --prove, also prove every balance and delegation')
    .action((options: CommonOptions & { repair?: boolean; blocks: number; prove?: boolean; all?: boolean }) => {
      const config = configOf(options)
      return runCommand(config.log_level, async ({ signal }) => {
        const network = networkOf(config, options.network)
        const database = await openDatabase(config)
        const db = openReader({
          url: database.urlOf(network),
          schema: schemaOf(network),
          max: 1,
          statementTimeoutMs: AUDIT_TIMEOUT_MS,
          segments: segmentReaderOf(config, network),
        })
        const steps = new StepLine('audit', AUDIT_STEPS + (options.prove ? 3 : 2))
        let failed = 0
        const report = (step: AuditStep) => {
          print(describe(step))
          steps.done(step.name)
          failed += step.violations.length
        }
        const repair = options.repair && {
          url: database.urlOf(network),
          onRepaired: (key: string) => print(`     segment ${key} was made again\n`),
        }
        const proving = {
          all: options.all ?? false,
          onProgress: (proven: number) => steps.note(`${proven} records proven`),
          onProven: (proof: StateProof) => saveStateProofAt({ url: database.urlOf(network), schema: schemaOf(network) }, proof),
        }
        try {
          // First of all: other checks read what is in segments.
          report(await auditSegments(config, network, db, repair || undefined))
          await snapshot(db, async (sql) => {
            for await (const step of auditIndex(sql)) report(step)
            if (options.prove) report(await auditState(network, sql, proving))
          })
          report(
            await auditBlocks({ network, sql: db, count: options.all ? 'all' : options.blocks, minNodes: MIN_NODES, signal }),
          )
        } catch (error) {
          throw explainNotIndexed(network, error)
        } finally {
          steps.end()
          await db.end()
          await database.stop()
        }
        if (failed > 0) throw new OperatorError('audit_failed', `${failed} violation(s) found on network ${network.name}`)
      })
    })
}

function describe({ invariant, name, violations, isSkipped, reason = 'this index began without state' }: AuditStep): string {
  if (isSkipped) return `skip ${invariant} ${name}: ${reason}\n`
  const details = violations.map(({ detail }) => `       ${detail}\n`)
  return `${violations.length === 0 ? 'ok  ' : 'FAIL'} ${invariant} ${name}\n${details.join('')}`
}
