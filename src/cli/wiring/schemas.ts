import { type NetworkConfig, schemaOf } from '../../config/schema.ts'
import { type Migration, migrate, SHARED_SCHEMA } from '../../store/migrations/migrate.ts'
import type { Database } from './database.ts'

/** Brings the tables of a network up to date, and in its own database also the shared ones: the state of its sources is there. */
export async function migrateNetwork(
  { url: sharedUrl, urlOf }: Pick<Database, 'url' | 'urlOf'>,
  network: NetworkConfig,
  reportOf: (schema: string) => (migration: Migration) => void = () => () => {},
): Promise<void> {
  const url = urlOf(network)
  if (url !== sharedUrl) await migrate(url, SHARED_SCHEMA, 'shared', reportOf(SHARED_SCHEMA))
  await migrate(url, schemaOf(network), 'network', reportOf(schemaOf(network)))
}
