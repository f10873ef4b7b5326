import type { Config } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { linkChecks } from '../../store/audit/chain-checks.ts'
import { runChecks, type Violation } from '../../store/audit/check.ts'
import { openReader } from '../../store/db.ts'
import { segmentReaderOf } from '../wiring/segments.ts'
import { auditBlocks, type BlocksAudit } from './audit-blocks.ts'

const TIMEOUT_MS = 3_600_000

/**
 * Compares what a snapshot brought with the chain, below the block that nodes have confirmed; throws when its rows do not follow from it.
 * State is no part of it: steps that prove it belong here too. Gives what was done, for the operator.
 */
export async function verifyRestored(
  config: Config,
  { url, schema, ...audit }: Omit<BlocksAudit, 'sql'> & { url: string; schema: string },
): Promise<string> {
  const segments = segmentReaderOf(config, audit.network)
  const sql = openReader({ url, schema, max: 1, statementTimeoutMs: TIMEOUT_MS, segments })
  try {
    const violations: Violation[] = []
    for await (const step of runChecks(sql, linkChecks)) violations.push(...step.violations)
    const blocks = await auditBlocks({ ...audit, sql })
    violations.push(...blocks.violations)
    if (violations.length === 0) return blocks.isSkipped ? `nothing was recomputed: ${blocks.reason}` : `ok: ${blocks.name}`
    const lines = violations.map(({ detail }) => `\n       ${detail}`).join('')
    throw new OperatorError('false_snapshot', `the snapshot is not what the chain says, and nothing of it was kept:${lines}`)
  } finally {
    await sql.end()
  }
}
