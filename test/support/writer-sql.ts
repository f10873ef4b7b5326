import { openPool, type SqlPool } from '../../src/store/db.ts'

/** For rows that no block makes: names, registries, curated entries. */
export const openWriterSql = (url: string, schema: string): SqlPool => openPool('offchain', { url, schema, max: 1 })
