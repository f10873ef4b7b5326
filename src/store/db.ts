import type { Layout } from './partitions/layout.ts'
import { Pool, type PoolOptions, type Source } from './servers/pool.ts'
import { inTransaction } from './servers/transaction.ts'
import { makeSql, type Run, type Sql } from './sql/statement.ts'

/** Statements of a pool, each on any of its connections. */
export interface Db extends Sql, Pick<Source, 'listen' | 'end'> {
  readonly source: Source
  /** All of it or nothing. A list of statements is sent at once. */
  begin<T>(work: (sql: Sql) => Promise<T> | readonly PromiseLike<T>[]): Promise<unknown>
}
