/** One export in its own process, so that its memory is nobody else's. */
import { rm } from 'node:fs/promises'
import type { FormatName } from '../../src/export/kind.ts'
import { runExport } from '../../src/export/run.ts'
import { openFolder } from '../../src/lib/object-store/folder.ts'
import { openReader } from '../../src/store/db.ts'
import { DATASETS } from '../../src/store/export/datasets.ts'
import { watchMemory } from '../harness/measure.ts'

export type ExportTask = { url: string; schema: string; folder: string; format: FormatName; to: number; heightsPerFile: number }

export type ExportRun = { rows: number; bytes: number; files: number; seconds: number; cpuSeconds: number; peakBytes: number }

process.once('message', async ({ url, schema, folder, format, to, heightsPerFile }: ExportTask) => {
  const db = openReader({ url, schema, max: 2, statementTimeoutMs: 0 })
  const memory = watchMemory()
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  const { ranges } = await runExport({
    db,
    store: openFolder(folder),
    datasets: DATASETS,
    format,
    to,
    heightsPerFile,
    rollbackDepth: 0,
    signal: new AbortController().signal,
  })
  const { user, system } = process.cpuUsage(cpu)
  const files = ranges.flatMap((range) => range.files)
  const run: ExportRun = {
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    files: files.length,
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds: (user + system) / 1e6,
    peakBytes: memory.stop(),
  }
  await db.end()
  await rm(folder, { recursive: true })
  process.send!(run, () => process.exit(0))
})
