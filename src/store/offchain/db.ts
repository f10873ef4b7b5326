import postgres from 'postgres'
import { poolAddress } from '../servers/connect.ts'
import { ARRAY_TYPES } from '../sql-arrays.ts'

/** Writes off-chain data of one network, and nothing else: few connections, short statements, apart from index and API. */
export type OffchainDb = postgres.Sql

export function openOffchainDb(url: string, schema: string): OffchainDb {
  const [address, route] = poolAddress(url)
  return postgres(address, {
    ...route,
    max: 2,
    types: ARRAY_TYPES,
    fetch_types: false,
    connect_timeout: 5,
    idle_timeout: 120,
    onnotice: () => {},
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
