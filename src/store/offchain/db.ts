import type postgres from 'postgres'
import { openPool } from '../servers/pool.ts'
import { ARRAY_TYPES } from '../sql-arrays.ts'

/** Writes off-chain data of one network, and nothing else: few connections, short statements, apart from index and API. */
export type OffchainDb = postgres.Sql

export function openOffchainDb(url: string, schema: string): OffchainDb {
  return openPool(url, {
    max: 2,
    types: ARRAY_TYPES,
    connect_timeout: 5,
    idle_timeout: 120,
    connection: {
      TimeZone: 'UTC',
      search_path: schema,
      application_name: `astrolabe offchain ${schema}`,
      statement_timeout: 30_000,
      lock_timeout: 5000,
      idle_in_transaction_session_timeout: 30_000,
    },
  }) as unknown as OffchainDb
}
