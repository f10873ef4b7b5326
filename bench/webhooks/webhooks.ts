import type { ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packagePath } from '../../src/lib/package-path.ts'
import { startReplayNode } from '../../src/simulation/node/node.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { ask, message, playBlocks, SCHEMA, start, startIndexing } from '../harness/live-chain.ts'
import { printTable } from '../harness/measure.ts'
import { subscribeMany } from './webhooks-setup.ts'

const START = 60
const WARM_UP = 2
const SUBSCRIPTIONS = 1000

type ProcessState = { rss: number; cpu: { user: number; system: number } }

/**
 * Delay from a height being there at the node to its event at a receiver, with 1,000 subscriptions to every block: node and indexer,
 * deliverer, and receiver are a process each. The second round has receivers that never answer. Arguments: blocks to measure (10) and
 * milliseconds between them (6000, the pace of the chain).
 */
export async function run(args: string[]): Promise<void> {
  const [blocks, intervalMs] = [Number(args[0] ?? 10), Number(args[1] ?? 6000)]
  const rows = []
  for (const stuck of [0, SUBSCRIPTIONS / 10]) rows.push(await measure({ stuck, blocks, intervalMs }))
  printTable(`webhooks: ${SUBSCRIPTIONS} subscriptions to every block, ${blocks} blocks, one per ${intervalMs} ms`, rows)
}

async function measure({ stuck, blocks, intervalMs }: { stuck: number; blocks: number; intervalMs: number }) {
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const database = await startEmbedded({ directory })
  const node = await startReplayNode({ dir: packagePath('data/recordings/devnet'), startHeight: START })
  const stopping = new AbortController()
  const children: ChildProcess[] = []
  try {
    const { indexing } = await startIndexing(database.url, node, stopping.signal)
    const receiver = start(children, './webhooks-receiver-process.js', [])
    const { url } = await message<{ url: string }>(receiver)
    await subscribeMany(database.url, url, { count: SUBSCRIPTIONS, stuck, height: START })
    const deliverer = start(children, './webhooks-process.js', [database.url, SCHEMA])
    await message(deliverer)
    await playBlocks(node, WARM_UP, intervalMs)
    await delay(intervalMs)
    const before = await ask<ProcessState>(deliverer)
    const sentAt = await playBlocks(node, blocks, intervalMs)
    await delay(intervalMs)
    const after = await ask<ProcessState>(deliverer)
    const { arrivals } = await ask<{ arrivals: [number, number[]][] }>(receiver)
    stopping.abort()
    await indexing
    const delays = arrivals
      .filter(([height]) => sentAt.has(height))
      .flatMap(([height, times]) => times.map((time) => time - sentAt.get(height)!))
      .sort((a, b) => a - b)
    const at = (share: number) => Math.round(delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? Number.NaN)
    const cpuMs = (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1000
    return {
      'never answer': stuck,
      'median ms': at(0.5),
      'p99 ms': at(0.99),
      'last ms': at(1),
      'missing events': (SUBSCRIPTIONS - stuck) * blocks - delays.length,
      'CPU ms per block': Math.round(cpuMs / blocks),
      'CPU ms per event': (cpuMs / Math.max(1, delays.length)).toFixed(2),
      'memory MiB': Math.round(after.rss / 2 ** 20),
    }
  } finally {
    stopping.abort()
    for (const child of children) child.kill()
    await node.close()
    await database.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
