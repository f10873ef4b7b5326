import type { ChainSource } from '../../src/chain/source.ts'
import { PreparePool } from '../../src/pipeline/prepare-pool.ts'
import { run } from '../../src/pipeline/run.ts'
import { Writer } from '../../src/store/write/writer.ts'

/** Indexes a chain to its end into a new schema, and closes the source; gives the head. */
export async function indexSource(url: string, schema: string, source: ChainSource): Promise<NonNullable<Writer['head']>> {
  const pool = new PreparePool(1)
  const signal = new AbortController().signal
  const writer = await Writer.open({ url, schema, undoDepth: 100 }, signal)
  try {
    await run(source, writer, pool, { batchBlocks: 500, follow: false, maxRollbackDepth: 100 }, signal)
    return writer.head!
  } finally {
    await writer.close()
    await pool.close()
    await source.close()
  }
}
