import postgres from 'postgres'

/** For rows that no block makes: names, registries, curated entries. */
export function openWriterSql(url: string, schema: string): postgres.Sql {
  return postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: schema, TimeZone: 'UTC' } })
}
