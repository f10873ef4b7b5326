import { openRecordingSource } from '../../src/chain/recording/source.ts'
import { migrate, SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { indexSource } from './index-source.ts'

/** Indexes a recording into a new schema; what read benches run on. */
export async function indexFolder(
  url: string,
  schema: string,
  folder: string,
  prepare: (url: string, schema: string) => Promise<unknown> = async () => {},
): Promise<void> {
  await migrate(url, SHARED_SCHEMA, 'shared')
  await migrate(url, schema, 'network')
  await prepare(url, schema)
  await indexSource(url, schema, await openRecordingSource(folder))
}
