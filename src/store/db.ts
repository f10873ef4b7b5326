import postgres from 'postgres'
import { poolAddress } from './servers/connect.ts'
import { ARRAY_TYPES } from './sql-arrays.ts'
import { int8, numeric, time } from './sql-types.ts'

/** A pool of reading connections whose search path is one network's schema. */
export type Db = postgres.Sql<{ int8: number; time: string; numeric: string }>

/** A statement context: the pool itself or a snapshot of it. */
export type Reader = Db | postgres.TransactionSql<{ int8: number; time: string; numeric: string }>

export type ReadOptions = {
  url: string
  schema: string
  /** connections of the pool */
  max: number
  statementTimeoutMs?: number
}

/** Readers cannot write, cannot wait for locks and cannot run without end (docs/rules.md R60). */
export function openReader({ url, schema, max, statementTimeoutMs = 5000 }: ReadOptions): Db {
  const [address, route] = poolAddress(url)
  return postgres(address, {
    ...route,
    max,
    types: { int8, numeric, time, ...ARRAY_TYPES },
    fetch_types: false,
    connect_timeout: 5,
    idle_timeout: 60,
    max_lifetime: 3600,
    onnotice: () => {},
    connection: {
      TimeZone: 'UTC',
      search_path: schema,
      application_name: `astrolabe read ${schema}`,
      default_transaction_read_only: true,
      statement_timeout: statementTimeoutMs,
      lock_timeout: 1000,
      idle_in_transaction_session_timeout: 10_000,
    },
  }) as unknown as Db
}

/** Several statements that must see the same head. One statement alone needs no snapshot. */
export function snapshot<T>(db: Db, read: (sql: Reader) => Promise<T>): Promise<T> {
  return db.begin('isolation level repeatable read read only', read as never) as Promise<T>
}
