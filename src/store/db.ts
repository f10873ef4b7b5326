import type postgres from 'postgres'
import type { Layout } from './partitions/layout.ts'
import { openPool } from './servers/pool.ts'
import { ARRAY_TYPES } from './sql-arrays.ts'
import { int8, numeric, time } from './sql-types.ts'

type Types = { int8: number; time: string; numeric: string }

/** A pool of reading connections whose search path is one network's schema. */
export type Db = postgres.Sql<Types> & WithSegments

/** A statement context: the pool itself or a snapshot of it. */
export type Reader = Db | (postgres.TransactionSql<Types> & WithSegments)

/** Events of a block, of a tx, the value of a message, or all txs of a block. */
export type SealedKind = 'block' | 'tx' | 'message' | 'txs'

/** Where bytes are that were moved out of their rows. */
export interface Sealed {
  /** undefined: no segment has them */
  read(sql: Reader, kind: SealedKind, height: number, id: number): Promise<Buffer | undefined>
}

/** How the tables are cut, as it was when the head was read that answers are made for; whoever follows the head fills it in. */
export type PartitionMap = {
  layout?: Layout | undefined
  head?: number
  /** ids of txs by their hashes, as far as they were asked for */
  known?: Map<string, number>
}

type WithSegments = { segments?: Sealed | undefined; partitions?: PartitionMap | undefined }

export type ReadOptions = {
  url: string
  schema: string
  /** connections of the pool */
  max: number
  statementTimeoutMs?: number
  /** for those who read events, values of messages or txs */
  segments?: Sealed | undefined
  /** shared by pools whose servers have the same tables */
  partitions?: PartitionMap | undefined
}

/** Readers cannot write, cannot wait for locks and cannot run without end (docs/rules.md R60). */
export function openReader({ url, schema, max, statementTimeoutMs = 5000, segments, partitions = {} }: ReadOptions): Db {
  const db = openPool(url, {
    max,
    types: { int8, numeric, time, ...ARRAY_TYPES },
    connect_timeout: 5,
    idle_timeout: 60,
    max_lifetime: 3600,
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
  db.segments = segments
  db.partitions = partitions
  return db
}

/** Several statements that must see the same head. One statement alone needs no snapshot. */
export function snapshot<T>(db: Db, read: (sql: Reader) => Promise<T>): Promise<T> {
  const readWithSegments = (sql: Reader) => read(Object.assign(sql, { segments: db.segments, partitions: db.partitions }))
  return db.begin('isolation level repeatable read read only', readWithSegments as never) as Promise<T>
}
