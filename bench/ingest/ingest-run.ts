import { fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { ChainSource } from '../../src/chain/source.ts'
import { PreparePool } from '../../src/pipeline/prepare-pool.ts'
import { run as runPipeline } from '../../src/pipeline/run.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { migrate, SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { Writer } from '../../src/store/write/writer.ts'
import { answerOf } from '../harness/answer-of.ts'
import { cpuSecondsOf, findPostmaster, mainThreadSeconds, printTable, watchMemory } from '../harness/measure.ts'

const SCHEMA = 'net_main'

/** A node in its own process: `cpuSeconds` is what it has used so far. */
export type ForkedNode = { url: string; cpuSeconds: () => number; stop: () => void }

export const forkReplayNode = (folder: string): Promise<ForkedNode> => forkNode('../harness/replay-process.js', [folder])

/** Without the heap flags of the indexer: the node is only what feeds it. */
export async function forkNode(file: string, args: string[], flags: string[] = []): Promise<ForkedNode> {
  const child = fork(new URL(file, import.meta.url), args, { execArgv: ['--enable-source-maps', ...flags] })
  const { url } = await answerOf<{ url: string }>(child)
  return { url, cpuSeconds: () => cpuSecondsOf(child.pid!), stop: () => child.disconnect() }
}

/**
 * CPU times are seconds: `main` is the thread that fetches and writes, `decode` all others of the indexer. `bytes` is the database,
 * `historyBytes` what of it keeps changes of balances.
 */
export type IngestRun = {
  seconds: number
  blocks: number
  txs: number
  rows: number
  bytes: number
  historyBytes: number
  peakMemory: number
  cpu: { main: number; decode: number; postgres: number }
}

/** One index from nothing, on the bundled PostgreSQL with its normal durability. */
export async function runIngest(threads: number, open: () => Promise<ChainSource>): Promise<IngestRun> {
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const server = await startEmbedded({ directory })
  try {
    await migrate(server.url, SHARED_SCHEMA, 'shared')
    await migrate(server.url, SCHEMA, 'network')
    const postmaster = findPostmaster(directory)
    const source = await open()
    const signal = new AbortController().signal
    // The votes for the last block of a recording were not recorded.
    const until = (await source.head(signal)).height - 1
    const memory = watchMemory()
    const cpuBefore = process.cpuUsage()
    const mainBefore = mainThreadSeconds()
    const postgresBefore = cpuSecondsOf(postmaster)
    const startedAt = performance.now()
    const pool = new PreparePool(threads)
    const writer = await Writer.open({ url: server.url, schema: SCHEMA, undoDepth: 100 }, signal)
    await runPipeline(source, writer, pool, { batchBlocks: 500, follow: false, maxRollbackDepth: 100, until }, signal)
    const seconds = (performance.now() - startedAt) / 1000
    const { user, system } = process.cpuUsage(cpuBefore)
    const main = mainThreadSeconds() - mainBefore
    const peakMemory = memory.stop()
    await writer.close()
    await pool.close()
    await source.close()
    const postgres = cpuSecondsOf(postmaster) - postgresBefore
    return {
      seconds,
      ...(await countRows(server.url)),
      peakMemory,
      cpu: { main, decode: (user + system) / 1e6 - main, postgres },
    }
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

const HISTORY = new Set(['balance_change', 'balance_change_type', 'stake_change', 'history_span'])

async function countRows(url: string): Promise<Pick<IngestRun, 'blocks' | 'txs' | 'rows' | 'bytes' | 'historyBytes'>> {
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
    let historyBytes = 0
    const sizes: [string, number, number][] = []
    for (const table of tables) {
      const { rows: counted } = await client.query<{ n: string }>(`select count(*) as n from "${SCHEMA}"."${table.name}"`)
      rows += Number(counted[0]!.n)
      bytes += Number(table.bytes)
      if (HISTORY.has(table.name)) historyBytes += Number(table.bytes)
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
    return { blocks: head[0]!.last_height, txs: Number(head[0]!.total_tx), rows, bytes, historyBytes }
  } finally {
    await client.end()
  }
}
