import { fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRpcSource } from '../src/chain/rpc/source.ts'
import { PreparePool } from '../src/pipeline/prepare-pool.ts'
import { run as runPipeline } from '../src/pipeline/run.ts'
import { startEmbedded } from '../src/store/embedded.ts'
import { migrate } from '../src/store/migrate.ts'
import { Writer } from '../src/store/writer.ts'
import { printTable, watchMemory } from './measure.ts'

const SCHEMA = 'net_main'

/** Memory of the indexer while full blocks (32 MiB of blobs, 43 MiB of JSON) come in. */
export async function run(): Promise<void> {
  const child = fork(new URL('./large-block-process.js', import.meta.url), { execArgv: ['--max-old-space-size=8192'] })
  const { url: node } = await new Promise<{ url: string }>((resolve) =>
    child.once('message', (message) => resolve(message as { url: string })),
  )
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const server = await startEmbedded({ directory })
  try {
    await migrate(server.url, SCHEMA, 'network')
    const signal = new AbortController().signal
    const before = process.memoryUsage.rss()
    const memory = watchMemory()
    const startedAt = performance.now()
    const source = createRpcSource({ urls: [node] })
    const pool = new PreparePool(1)
    const writer = await Writer.open({ url: server.url, schema: SCHEMA, undoDepth: 100 }, signal)
    await runPipeline(source, writer, pool, { batchBlocks: 500, follow: false, maxRollbackDepth: 100 }, signal)
    const seconds = (performance.now() - startedAt) / 1000
    const head = writer.head!
    await writer.close()
    await pool.close()
    await source.close()
    printTable('full blocks from a node on loopback', [
      {
        blocks: head.last_height,
        'MiB of blobs': Math.round(head.total_blobs_size / 2 ** 20),
        seconds: seconds.toFixed(2),
        'memory before, MB': Math.round(before / 1e6),
        'peak memory, MB': Math.round(memory.stop() / 1e6),
      },
    ])
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
    child.disconnect()
  }
}
