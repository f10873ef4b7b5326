import type pg from 'pg'
import { PARTITIONED, type PartitionedTable } from './layout.ts'

/** The constraint that proves that rows belong into the first partition; PostgreSQL need not look at them when it is attached. */
export const LIMIT = 'first_partition'

export async function hasLimit(client: pg.ClientBase, table: PartitionedTable): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_constraint where conrelid = $1::regclass and conname = $2', [
    `"${table}"`,
    LIMIT,
  ])
  return rowCount === 1
}

export async function dropLimits(client: pg.ClientBase, nameOf: (table: PartitionedTable) => string = (table) => table) {
  for (const table of PARTITIONED) await client.query(`alter table "${nameOf(table)}" drop constraint if exists ${LIMIT}`)
}
