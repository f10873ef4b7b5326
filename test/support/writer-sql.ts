import type postgres from 'postgres'
import { openPool } from '../../src/store/servers/pool.ts'

/** For rows that no block makes: names, registries, curated entries. */
export function openWriterSql(url: string, schema: string): postgres.Sql {
  return openPool(url, { max: 1, connection: { search_path: schema, TimeZone: 'UTC' } })
}
