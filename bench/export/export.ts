import { fork } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FormatName } from '../../src/export/kind.ts'
import { FORMATS } from '../../src/export/run.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { openReader } from '../../src/store/db.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { findHead } from '../../src/store/read/head/head.ts'
import { indexFolder } from '../harness/index-folder.ts'
import { printTable } from '../harness/measure.ts'
import type { ExportRun, ExportTask } from './export-process.ts'

const SCHEMA = 'net_main'
const HEIGHTS_PER_FILE = 200
/** A garbage collector that has room uses it; with little, the peak shows what is needed. */
const HEAP_MB = 64

/** Rows per second, bytes per row and memory of an export of every dataset, for a quarter of the recording and all of it. */
export async function run(): Promise<void> {
  const bulk = packagePath('../shared/chain/bulk')
  const folder = existsSync(bulk) ? bulk : packagePath('data/recordings/devnet')
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const server = await startEmbedded({ directory })
  try {
    await indexFolder(server.url, SCHEMA, folder)
    const db = openReader({ url: server.url, schema: SCHEMA, max: 1 })
    const { last_height: last } = (await findHead(db))!
    await db.end()
    const rows: Record<string, string | number>[] = []
    for (const format of Object.keys(FORMATS) as FormatName[])
      for (const to of [Math.floor(last / 4), last]) {
        const out = join(directory, `export-${format}-${to}`)
        const task = { url: server.url, schema: SCHEMA, folder: out, format, to, heightsPerFile: HEIGHTS_PER_FILE }
        rows.push(toRow(format, to, await measure(task)))
      }
    printTable(
      `export of ${folder.split('/').at(-1)}: every dataset, ${HEIGHTS_PER_FILE} heights per file, heap of ${HEAP_MB} MB`,
      rows,
    )
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

function measure(task: ExportTask): Promise<ExportRun> {
  const child = fork(packagePath('build/bench/export-process.js'), {
    execArgv: ['--enable-source-maps', `--max-old-space-size=${HEAP_MB}`],
  })
  child.send(task)
  return new Promise((resolve, reject) => {
    child.once('message', (run) => resolve(run as ExportRun))
    child.once('exit', (code) => reject(new Error(`the export ended with ${code}`)))
  })
}

function toRow(format: FormatName, to: number, { rows, bytes, files, seconds, cpuSeconds, peakBytes }: ExportRun) {
  return {
    format,
    heights: to + 1,
    rows,
    files,
    'rows/s': Math.round(rows / seconds),
    'CPU µs/row': Math.round((cpuSeconds / rows) * 1e6),
    'bytes/row': Math.round(bytes / rows),
    'peak MB': Math.round(peakBytes / 1e6),
  }
}
