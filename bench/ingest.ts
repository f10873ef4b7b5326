import { fork } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openRecordingSource } from '../src/chain/recording/source.ts'
import { createRpcSource } from '../src/chain/rpc/source.ts'
import type { ChainSource } from '../src/chain/source.ts'
import { packagePath } from '../src/lib/package-path.ts'
import { PreparePool } from '../src/pipeline/prepare-pool.ts'
import { run as runPipeline } from '../src/pipeline/run.ts'
import { startEmbedded } from '../src/store/embedded.ts'
import { migrate, SHARED_SCHEMA } from '../src/store/migrate.ts'
import { Writer } from '../src/store/writer.ts'
import { cpuSecondsOf, printTable, watchMemory } from './measure.ts'

const SCHEMA = 'net_main'

/** Figures of the reference indexer on the same work (another, like machine). */
const REFERENCE = { blocksPerSecond: 80.1, txsPerSecond: 410, cpuMsPerTx: 2.8, memoryMb: 282, databaseMb: 150 }

/** How fast a recording becomes tables, on the bundled PostgreSQL with its normal durability. */
export async function run(args: string[]): Promise<void> {
  const bulk = packagePath('../shared/chain/bulk')
  const folder = args[0] ?? (existsSync(bulk) ? bulk : packagePath('data/recordings/devnet'))
  const threads = Number(args[1] ?? 1)
  const node = await forkReplayNode(folder)
  const rows = [
    await measure('from a recording', folder, threads, (dir) => openRecordingSource(dir)),
    await measure('from a node on loopback', folder, threads, async () =>
      createRpcSource({ urls: [node.url], maxBatchCalls: 100 }),
    ),
  ]
  node.stop()
  printTable(`ingest of ${folder.split('/').at(-1)} with ${threads} decode thread(s)`, [
    ...rows,
    {
      source: 'reference, for scale',
      seconds: '',
      'blocks/s': REFERENCE.blocksPerSecond,
      'txs/s': REFERENCE.txsPerSecond,
      'rows/s': '',
      'CPU ms/tx': REFERENCE.cpuMsPerTx,
      'of which PostgreSQL': '1.7',
      'memory MB': REFERENCE.memoryMb,
      'database MB': REFERENCE.databaseMb,
    },
  ])
}

function forkReplayNode(folder: string): Promise<{ url: string; stop: () => void }> {
  const child = fork(new URL('./replay-process.js', import.meta.url), [folder])
  return new Promise((resolve, reject) => {
    child.once('message', ({ url }: { url: string }) => resolve({ url, stop: () => child.disconnect() }))
    child.once('exit', (code) => reject(new Error(`the replay node ended with code ${code}`)))
  })
}

async function measure(
  name: string,
  folder: string,
  threads: number,
  open: (dir: string) => Promise<ChainSource>,
): Promise<Record<string, string | number>> {
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const server = await startEmbedded({ directory })
  try {
    await migrate(server.url, SHARED_SCHEMA, 'shared')
    await migrate(server.url, SCHEMA, 'network')
    const postmaster = Number(readFileSync(join(directory, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
    const source = await open(folder)
    const signal = new AbortController().signal
    // The votes for the last block of a recording were not recorded.
    const until = (await source.head(signal)).height - 1
    const memory = watchMemory()
    const cpuBefore = process.cpuUsage()
    const postgresBefore = cpuSecondsOf(postmaster)
    const startedAt = performance.now()
    const pool = new PreparePool(threads)
    const writer = await Writer.open({ url: server.url, schema: SCHEMA, undoDepth: 100 }, signal)
    await runPipeline(source, writer, pool, { batchBlocks: 500, follow: false, maxRollbackDepth: 100, until }, signal)
    const seconds = (performance.now() - startedAt) / 1000
    const cpu = process.cpuUsage(cpuBefore)
    const nodeSeconds = (cpu.user + cpu.system) / 1e6
    const peak = memory.stop()
    await writer.close()
    await pool.close()
    await source.close()
    const postgresSeconds = cpuSecondsOf(postmaster) - postgresBefore
    const counts = await countRows(server.url)
    const perTx = (value: number) => ((value * 1000) / counts.txs).toFixed(3)
    return {
      source: name,
      seconds: seconds.toFixed(2),
      'blocks/s': Math.round(counts.blocks / seconds),
      'txs/s': Math.round(counts.txs / seconds),
      'rows/s': Math.round(counts.rows / seconds),
      'CPU ms/tx': perTx(nodeSeconds + postgresSeconds),
      'of which PostgreSQL': perTx(postgresSeconds),
      'memory MB': Math.round(peak / 1e6),
      'database MB': Math.round(counts.bytes / 1e6),
    }
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function countRows(url: string): Promise<{ blocks: number; txs: number; rows: number; bytes: number }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string; bytes: string }>(
      `select c.relname as name, pg_total_relation_size(c.oid) as bytes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind = 'r'`,
      [SCHEMA],
    )
    let rows = 0
    let bytes = 0
    const sizes: [string, number, number][] = []
    for (const table of tables) {
      const { rows: counted } = await client.query<{ n: string }>(`select count(*) as n from "${SCHEMA}"."${table.name}"`)
      rows += Number(counted[0]!.n)
      bytes += Number(table.bytes)
      sizes.push([table.name, Number(counted[0]!.n), Number(table.bytes)])
    }
    sizes.sort((a, b) => b[2] - a[2])
    printTable(
      'largest tables',
      sizes.slice(0, 8).map(([table, count, size]) => ({ table, rows: count, MB: (size / 1e6).toFixed(1) })),
    )
    const { rows: head } = await client.query<{ last_height: number; total_tx: string }>(
      `select last_height, total_tx from "${SCHEMA}".head`,
    )
    return { blocks: head[0]!.last_height, txs: Number(head[0]!.total_tx), rows, bytes }
  } finally {
    await client.end()
  }
}
