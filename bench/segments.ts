import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRecordingSource } from '../src/chain/recording/source.ts'
import { openFolder } from '../src/lib/object-store/folder.ts'
import { PreparePool } from '../src/pipeline/prepare-pool.ts'
import { run as runPipeline } from '../src/pipeline/run.ts'
import { startEmbedded } from '../src/store/embedded/server.ts'
import { migrate, SHARED_SCHEMA } from '../src/store/migrations/migrate.ts'
import { openSealer } from '../src/store/segments/run-sealer.ts'
import { sealNext } from '../src/store/segments/seal.ts'
import { Writer } from '../src/store/write/writer.ts'
import { generate } from './mainnet.ts'
import { printTable } from './measure.ts'
import { readSizes, type TableSizes } from './table-sizes.ts'

const SCHEMA = 'net_main'
const UNDO_DEPTH = 10
const HEIGHTS = 100

type Sizes = TableSizes & { name: string; segments: number }

/** What a block and a tx take in PostgreSQL with and without segments: a recording, or a generated chain shaped like the main network. */
export async function run(args: string[]): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'astrolabe-segments-'))
  try {
    const folder = args[0] ?? join(work, 'chain')
    if (args[0] === undefined) await generate(folder, 300)
    const rows = [await measure(work, folder, false), await measure(work, folder, true)]
    const [before] = rows
    printTable(
      'bytes in PostgreSQL without undo records, tables rewritten without dead rows; all heights are in segments',
      rows.map(({ name, database, tables, segments, blocks, txs }) => ({
        index: name,
        'per block': Math.round(database / blocks),
        'per tx': Math.round(database / txs),
        'less by': `${Math.round(100 - (100 * database) / before!.database)} %`,
        block: Math.round(tables.get('block')! / blocks),
        tx: Math.round(tables.get('tx')! / blocks),
        message: Math.round(tables.get('message')! / blocks),
        'segments per block, blobs included': Math.round(segments / blocks),
      })),
    )
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function measure(work: string, folder: string, isSealed: boolean): Promise<Sizes> {
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const server = await startEmbedded({ directory })
  try {
    await migrate(server.url, SHARED_SCHEMA, 'shared')
    await migrate(server.url, SCHEMA, 'network')
    await index(server.url, folder, isSealed)
    const segments = isSealed ? await sealAll(server.url, join(work, 'segments')) : 0
    return {
      name: isSealed ? 'with segments' : 'without',
      segments,
      ...(await readSizes(server.url, SCHEMA, { compact: 'all' })),
    }
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function index(url: string, folder: string, forSegments: boolean): Promise<void> {
  const signal = new AbortController().signal
  const source = await openRecordingSource(folder)
  // The votes for the last block of a recording were not recorded.
  const until = (await source.head(signal)).height - 1
  const pool = new PreparePool(1, { forSegments })
  const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: UNDO_DEPTH }, signal)
  await runPipeline(source, writer, pool, { batchBlocks: 100, follow: false, maxRollbackDepth: UNDO_DEPTH, until }, signal)
  await writer.close()
  await pool.close()
  await source.close()
}

/** Moves every height; returns the bytes of all segments. */
async function sealAll(url: string, folder: string): Promise<number> {
  const store = openFolder(folder)
  const client = await openSealer(url, SCHEMA)
  // A running index keeps the newest heights in its rows, on a short chain most of them; a long one is to be measured.
  await client.query('delete from undo')
  for (const heights of [HEIGHTS, 1]) while (await sealNext(client, { store, prefix: 'main', heights }));
  await client.end()
  let bytes = 0
  for await (const { size } of store.list('main/')) bytes += size
  return bytes
}
