import type { Reader } from '../db.ts'

/** Something the index claims that its own rows contradict. */
export type Violation = { invariant: string; check: string; detail: string }

/** A statement that returns one row per violation, with a column `detail`; nothing when all is well. */
export type Check = { invariant: string; name: string; sql: string }

const MAX_DETAILS = 20

export async function* runChecks(
  sql: Reader,
  checks: readonly Check[],
): AsyncGenerator<{ check: Check; violations: Violation[] }> {
  for (const check of checks) {
    const rows = await sql.unsafe<{ detail: string }[]>(`select detail from (${check.sql}) as violation limit ${MAX_DETAILS}`)
    yield { check, violations: rows.map(({ detail }) => ({ invariant: check.invariant, check: check.name, detail })) }
  }
}
