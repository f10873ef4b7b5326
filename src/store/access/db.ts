import type postgres from 'postgres'
import { openPool } from '../servers/pool.ts'
import { ARRAY_TYPES } from '../sql-arrays.ts'
import { date, int8, time } from '../sql-types.ts'

/** The small pool for keys, usage and limits: the only place where an API process writes. */
export type AccessDb = postgres.Sql<{ int8: number; time: string; date: string }>

export type AccessTx = postgres.TransactionSql<{ int8: number; time: string; date: string }>

const STATEMENT_MS = 2000

/** `settings` of the connection that differ: those of a pool with other work. */
export function openAccessDb(url: string, schema: string, max = 3, settings: Record<string, string | number> = {}): AccessDb {
  return openPool(url, {
    max,
    types: { date, int8, time, ...ARRAY_TYPES },
    connect_timeout: 2,
    idle_timeout: 300,
    max_lifetime: 3600,
    connection: {
      TimeZone: 'UTC',
      search_path: schema,
      application_name: `astrolabe access ${schema}`,
      statement_timeout: STATEMENT_MS,
      lock_timeout: 1000,
      idle_in_transaction_session_timeout: 5000,
      // Counters of the last moments before a crash may be lost; nobody waits for the disk because of them.
      synchronous_commit: 'off',
      ...settings,
    },
  }) as unknown as AccessDb
}
