import pg from 'pg'
import { openRecordingSource } from '../../src/chain/recording/source.ts'
import { schemaOf } from '../../src/config/schema.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { PreparePool } from '../../src/pipeline/prepare-pool.ts'
import { run } from '../../src/pipeline/run.ts'
import { migrate, SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { loadRollups } from '../../src/store/rollups/edit-rollups.ts'
import { Writer } from '../../src/store/write/writer.ts'
import { openSharedPool } from './shared-pool.ts'

/** Empty, migrated database: cloned for tests that write. */
export const TEMPLATE = 'astrolabe_template'

/** The recorded main chain with its rollups, fully indexed: read by API tests. */
export const DEVNET = 'astrolabe_devnet'

/** Template that is never connected to: a database with connections cannot be cloned. */
export const DEVNET_TEMPLATE = 'astrolabe_devnet_template'

export const SCHEMA = schemaOf({ name: 'main' })

export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.toString()
}

export async function createDatabase(serverUrl: string, name: string, template?: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(`create database "${name}"${template ? ` template "${template}" strategy file_copy` : ''}`)
  } finally {
    await client.end()
  }
  return databaseUrl(serverUrl, name)
}

export async function prepareTemplates(serverUrl: string): Promise<void> {
  const template = await createDatabase(serverUrl, TEMPLATE)
  await migrate(template, SHARED_SCHEMA, 'shared')
  await migrate(template, SCHEMA, 'network')
  const devnet = await createDatabase(serverUrl, DEVNET_TEMPLATE, TEMPLATE)
  await indexRecording(devnet, 'devnet', { rollups: true })
  await createDatabase(serverUrl, DEVNET, DEVNET_TEMPLATE)
}

/** Indexes a bundled recording to its end. */
export async function indexRecording(
  url: string,
  name: string,
  options: { rollups?: boolean; batchBlocks?: number; threads?: number; until?: number; schema?: string } = {},
): Promise<void> {
  const schema = options.schema ?? SCHEMA
  const folder = packagePath('data/recordings', name)
  const signal = new AbortController().signal
  if (options.rollups) await loadRollups(url, schema, `${folder}/rollups.json`)
  const source = await openRecordingSource(folder)
  const pool = options.threads === undefined ? openSharedPool() : new PreparePool(options.threads)
  const writer = await Writer.open({ url, schema, undoDepth: 100 }, signal)
  try {
    await run(
      source,
      writer,
      pool,
      {
        batchBlocks: options.batchBlocks ?? 100,
        follow: false,
        maxRollbackDepth: 100,
        ...(options.until !== undefined && { until: options.until }),
      },
      signal,
    )
  } finally {
    await writer.close()
    await pool.close()
    await source.close()
  }
}
