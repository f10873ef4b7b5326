import type postgres from 'postgres'
import { SHARED_SCHEMA } from '../migrations/migrate.ts'
import { openPool } from '../servers/pool.ts'
import { ARRAY_TYPES } from '../sql-arrays.ts'
import { int8, numeric } from '../sql-types.ts'

/** The only connections of the paid surface that may write; they see the shared schema and nothing of a network. */
export type LedgerDb = postgres.Sql<{ int8: number; numeric: string }>
export type LedgerTx = postgres.TransactionSql<{ int8: number; numeric: string }>

export function openLedgerDb({ url, max = 4 }: { url: string; max?: number }): LedgerDb {
  return openPool(url, {
    max,
    types: { int8, numeric, ...ARRAY_TYPES },
    connect_timeout: 5,
    idle_timeout: 60,
    max_lifetime: 3600,
    connection: {
      TimeZone: 'UTC',
      search_path: SHARED_SCHEMA,
      application_name: 'astrolabe pay',
      statement_timeout: 5000,
      lock_timeout: 2000,
      idle_in_transaction_session_timeout: 10_000,
    },
  }) as unknown as LedgerDb
}
