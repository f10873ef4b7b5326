import postgres from 'postgres'
import { socketOf } from '../../src/store/servers/address.ts'

/** For rows that no block makes: names, registries, curated entries. */
export function openWriterSql(url: string, schema: string): postgres.Sql {
  const path = socketOf(url)
  return postgres(url, {
    max: 1,
    onnotice: () => {},
    connection: { search_path: schema, TimeZone: 'UTC' },
    ...(path !== undefined && { path }),
  })
}
