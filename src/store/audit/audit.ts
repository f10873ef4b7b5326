import type { Reader } from '../db.ts'
import { demandWhole } from '../partitions/layout.ts'
import { findHead } from '../read/head/head.ts'
import { counterChecks, linkChecks } from './chain-checks.ts'
import { type Check, type HeightRange, runChecks, type Violation } from './check.ts'
import { historyChecks } from './history-checks.ts'
import { moneyChecks, stakeChecks } from './money-checks.ts'
import { checkRewards } from './reward-checks.ts'
import { seriesChecks } from './series-checks.ts'

/** `isSkipped`: for a `reason`, or because the index began without the state that this is about. */
export type AuditStep = { invariant: string; name: string; violations: Violation[]; isSkipped?: true; reason?: string }

const CHECKS = [...linkChecks, ...counterChecks, ...moneyChecks, ...stakeChecks, ...historyChecks, ...seriesChecks]
/** They recount state from the beginning of the chain. */
const STATE_CHECKS = new Set([...moneyChecks, ...stakeChecks, ...historyChecks])

/** How many steps there are, for those who watch. */
export const AUDIT_STEPS = CHECKS.length + 1

/** Everything the index claims, recounted from its own rows: links, counters, money, stake, series and history (I1, I2, I6 to I9, I14). */
export async function* auditIndex(sql: Reader): AsyncGenerator<AuditStep> {
  demandWhole((await findHead(sql))?.layout?.kept_from, 'they cannot be recounted')
  // Recounts sort and hash whole tables; with the server's default they would do it on disk.
  await sql`set local work_mem = '128MB'`
  const checks = await possibleChecks(sql, CHECKS)
  for await (const { check, violations } of runChecks(sql, checks)) yield { ...check, violations }
  const rewards = { invariant: 'I9', name: 'rewards and commissions of validators' }
  const violations: Violation[] = []
  if (checks.length === CHECKS.length) {
    for await (const violation of checkRewards(sql)) violations.push(violation)
    yield { ...rewards, violations }
    return
  }
  for (const check of CHECKS) if (!checks.includes(check)) yield { ...check, violations, isSkipped: true }
  yield { ...rewards, violations, isSkipped: true }
}

/** The part of it that a running indexer can afford: money and stake as they are, links and counters of some heights. */
export async function* sampleIndex(sql: Reader, heights: HeightRange): AsyncGenerator<AuditStep> {
  const checks = [...linkChecks, ...counterChecks, ...moneyChecks, ...stakeChecks].filter(({ sample }) => sample !== undefined)
  for await (const { check, violations } of runChecks(sql, await possibleChecks(sql, checks), heights))
    yield { ...check, violations }
}

async function possibleChecks(sql: Reader, checks: Check[]): Promise<Check[]> {
  return (await findHead(sql))?.has_state === false ? checks.filter((check) => !STATE_CHECKS.has(check)) : checks
}
