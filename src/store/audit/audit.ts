import { seriesChecks } from '../aggregate/audit.ts'
import { checkRewards } from '../aggregate/audit-rewards.ts'
import type { Reader } from '../db.ts'
import { counterChecks, linkChecks } from './chain-checks.ts'
import { type HeightRange, runChecks, type Violation } from './check.ts'
import { historyChecks } from './history-checks.ts'
import { moneyChecks, stakeChecks } from './money-checks.ts'

export type AuditStep = { invariant: string; name: string; violations: Violation[] }

const CHECKS = [...linkChecks, ...counterChecks, ...moneyChecks, ...stakeChecks, ...historyChecks, ...seriesChecks]

/** How many steps there are, for those who watch. */
export const AUDIT_STEPS = CHECKS.length + 1

/** Everything the index claims, recounted from its own rows: links, counters, money, stake, series and history (I1, I2, I6 to I9, I14). */
export async function* auditIndex(sql: Reader): AsyncGenerator<AuditStep> {
  // Recounts sort and hash whole tables; with the server's default they would do it on disk.
  await sql`set local work_mem = '128MB'`
  for await (const { check, violations } of runChecks(sql, CHECKS)) yield { ...check, violations }
  const violations: Violation[] = []
  for await (const violation of checkRewards(sql)) violations.push(violation)
  yield { invariant: 'I9', name: 'rewards and commissions of validators', violations }
}

/** The part of it that a running indexer can afford: money and stake as they are, links and counters of some heights. */
export async function* sampleIndex(sql: Reader, heights: HeightRange): AsyncGenerator<AuditStep> {
  const checks = [...linkChecks, ...counterChecks, ...moneyChecks, ...stakeChecks].filter(({ sample }) => sample !== undefined)
  for await (const { check, violations } of runChecks(sql, checks, heights)) yield { ...check, violations }
}
