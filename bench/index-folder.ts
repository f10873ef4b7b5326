import { openRecordingSource } from '../src/chain/recording/source.ts'
import { PreparePool } from '../src/pipeline/prepare-pool.ts'
import { run } from '../src/pipeline/run.ts'
import { migrate, SHARED_SCHEMA } from '../src/store/migrate.ts'
import { Writer } from '../src/store/writer.ts'

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
  const source = await openRecordingSource(folder)
  const pool = new PreparePool(1)
  const signal = new AbortController().signal
  const writer = await Writer.open({ url, schema, undoDepth: 100 }, signal)
  try {
    await run(source, writer, pool, { batchBlocks: 500, follow: false, maxRollbackDepth: 100 }, signal)
  } finally {
    await writer.close()
    await pool.close()
    await source.close()
  }
}
