import type { Reader } from '../db.ts'

/** Something the index claims that its own rows contradict. */
export type Violation = { invariant: string; check: string; detail: string }

/** A statement that returns one row per violation, with a column `detail`; nothing when all is well. */
export type Check = {
  invariant: string
  name: string
  sql: string
  /**
   * Cheap enough for a look in passing: over a `range` of heights, or `whole`, as it reads no table that grows with the chain.
   * Absent: only `audit` has the time.
   */
  sample?: 'range' | 'whole'
}

const MAX_DETAILS = 20

export async function* runChecks(
  sql: Reader,
  checks: readonly Check[],
  heights?: HeightRange,
): AsyncGenerator<{ check: Check; violations: Violation[] }> {
  for (const check of checks) {
    const range = heights && check.sample === 'range' ? narrowTables(heights) : ''
    const rows = await sql.unsafe<{ detail: string }[]>(
      `${range}select detail from (${check.sql}) as violation limit ${MAX_DETAILS}`,
    )
    yield { check, violations: rows.map(({ detail }) => ({ invariant: check.invariant, check: check.name, detail })) }
  }
}

export type HeightRange = { from: number; to: number }

/** Tables of the chain by height; in a statement that begins with this they hold no other heights. */
function narrowTables({ from, to }: HeightRange): string {
  const tables = ['block', 'tx', 'message', 'blob'].map(
    (table) => `${table} as (select * from ${table} where height between ${from} and ${to})`,
  )
  return `with ${tables.join(', ')} `
}
