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

const START = 60
/** Blocks sent before the measured ones. */
const WARM_UP = 10
const SUBSCRIBERS = 1000

type ApiState = { rss: number; cpu: { user: number; system: number }; sessions: number }

/**
 * Delay from a height being there at the node to its notification at a subscriber: node and indexer, API, and all subscribers are a
 * process each. Arguments: blocks to measure (150, the recording has 160 for each round) and milliseconds between them (250).
 */
export async function run(args: string[]): Promise<void> {
  const [blocks, intervalMs] = [Number(args[0] ?? 150), Number(args[1] ?? 250)]
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const database = await startEmbedded({ directory })
  const node = await startReplayNode({ dir: packagePath('data/recordings/devnet'), startHeight: START })
  const stopping = new AbortController()
  const children: ChildProcess[] = []
  try {
    const { indexing } = await startIndexing(database.url, node, stopping.signal)
    const rows = []
    for (const stuck of [0, SUBSCRIBERS / 10]) {
      const api = start(children, './ws-api-process.js', [database.url, SCHEMA])
      const { address } = await message<{ address: string }>(api)
      const before = await ask<ApiState>(api)
      const url = `${address.replace('http', 'ws')}/v1/ws`
      const clients = start(children, './ws-client-process.js', [url, String(SUBSCRIBERS), String(stuck)])
      await message(clients)
      const connected = await ask<ApiState>(api)
      const first = node.height + WARM_UP + 1
      const sentAt = await playBlocks(node, WARM_UP + blocks, intervalMs)
      await delay(1000)
      const { arrivals } = await ask<{ arrivals: [number, number[]][] }>(clients)
      const after = await ask<ApiState>(api)
      rows.push(
        describe({
          stuck,
          arrivals,
          sentAt,
          first,
          memory: [before.rss, connected.rss, after.rss],
          before: connected,
          after,
          blocks,
        }),
      )
      for (const child of [clients, api]) child.kill()
    }
    stopping.abort()
    await indexing
    printTable(
      `push to ${SUBSCRIBERS} subscribers, ${blocks} blocks, one per ${intervalMs} ms (goal: median ≤ 60 ms, p99 ≤ 250 ms)`,
      rows,
    )
  } finally {
    stopping.abort()
    for (const child of children) child.kill()
    await node.close()
    await database.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

type Outcome = {
  stuck: number
  arrivals: [number, number[]][]
  sentAt: Map<number, number>
  first: number
  memory: number[]
  before: ApiState
  after: ApiState
  blocks: number
}

function describe({ stuck, arrivals, sentAt, first, memory, before, after, blocks }: Outcome) {
  const measured = arrivals.filter(([height]) => height >= first && sentAt.has(height))
  const delays = measured.flatMap(([height, times]) => times.map((time) => time - sentAt.get(height)!)).sort((a, b) => a - b)
  const at = (share: number) => (delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? Number.NaN).toFixed(1)
  const mib = (bytes: number) => Math.round(bytes / 2 ** 20)
  const cpuMs = (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1000
  return {
    'never read': stuck,
    'median ms': at(0.5),
    'p99 ms': at(0.99),
    'max ms': at(1),
    'missing notifications': (SUBSCRIBERS - stuck) * blocks - delays.length,
    'API memory MiB (start → connected → end)': memory.map(mib).join(' → '),
    'API CPU ms per block': (cpuMs / (blocks + WARM_UP)).toFixed(1),
    'still connected': after.sessions,
  }
}
