import { existsSync } from 'node:fs'
import { openRecordingSource } from '../../src/chain/recording/source.ts'
import { createRpcSource } from '../../src/chain/rpc/source.ts'
import type { ChainSource } from '../../src/chain/source.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { printTable } from '../harness/measure.ts'
import { forkReplayNode, runIngest } from './ingest-run.ts'

/** Figures of the reference indexer on the same work (another, like machine). */
const REFERENCE = { blocksPerSecond: 80.1, txsPerSecond: 410, cpuMsPerTx: 2.8, memoryMb: 282, databaseMb: 150 }

/** How fast a recording becomes tables, on the bundled PostgreSQL with its normal durability. */
export async function run(args: string[]): Promise<void> {
  const bulk = packagePath('../shared/chain/bulk')
  const folder = args[0] ?? (existsSync(bulk) ? bulk : packagePath('data/recordings/devnet'))
  const threads = Number(args[1] ?? 1)
  const node = await forkReplayNode(folder)
  const rows = [
    await measure('from a recording', threads, () => openRecordingSource(folder)),
    await measure('from a node on loopback', threads, async () => createRpcSource({ urls: [node.url], maxBatchCalls: 100 })),
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
      'history bytes/tx': '',
      'history on top': '',
    },
  ])
}

async function measure(
  name: string,
  threads: number,
  open: () => Promise<ChainSource>,
): Promise<Record<string, string | number>> {
  const { seconds, blocks, txs, rows, bytes, historyBytes, peakMemory, cpu } = await runIngest(threads, open)
  const perTx = (value: number) => ((value * 1000) / txs).toFixed(3)
  return {
    source: name,
    seconds: seconds.toFixed(2),
    'blocks/s': Math.round(blocks / seconds),
    'txs/s': Math.round(txs / seconds),
    'rows/s': Math.round(rows / seconds),
    'CPU ms/tx': perTx(cpu.main + cpu.decode + cpu.postgres),
    'of which PostgreSQL': perTx(cpu.postgres),
    'memory MB': Math.round(peakMemory / 1e6),
    'database MB': Math.round(bytes / 1e6),
    'history bytes/tx': Math.round(historyBytes / txs),
    'history on top': `${((100 * historyBytes) / (bytes - historyBytes)).toFixed(1)} %`,
  }
}
