import type { ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packagePath } from '../src/lib/package-path.ts'
import { startReplayNode } from '../src/simulation/node/node.ts'
import { startEmbedded } from '../src/store/embedded/server.ts'
import { ask, message, playBlocks, SCHEMA, start, startIndexing } from './harness/live-chain.ts'
import { printTable } from './harness/measure.ts'

const START = 60
const WARM_UP = 3
const HEAD_POLL_MS = 5

/**
 * Delay from a block's availability at the node to `/v1/head` and to a WebSocket subscriber, with and without a WebSocket to the node.
 * Node and indexer, API, and subscriber are a process each. Arguments: blocks to measure (40) and milliseconds between them (1000).
 */
export async function run(args: string[]): Promise<void> {
  const [blocks, intervalMs] = [Number(args[0] ?? 40), Number(args[1] ?? 1000)]
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const database = await startEmbedded({ directory })
  const node = await startReplayNode({ dir: packagePath('data/recordings/devnet'), startHeight: START })
  const children: ChildProcess[] = []
  try {
    const rows = []
    for (const listen of [true, false]) {
      const stopping = new AbortController()
      const { indexing } = await startIndexing(database.url, node, stopping.signal, { listen })
      const api = start(children, './ws-fanout/ws-api-process.js', [database.url, SCHEMA])
      const { address } = await message<{ address: string }>(api)
      const client = start(children, './ws-fanout/ws-client-process.js', [`${address.replace('http', 'ws')}/v1/ws`, '1', '0'])
      await message(client)
      // The socket to the node is opened in the background once the index has caught up.
      while (listen && node.subscriptions() === 0) await delay(10)
      const seen = watchHead(`${address}/v1/head`, stopping.signal)
      const first = node.height + WARM_UP + 1
      const sentAt = await playBlocks(node, WARM_UP + blocks, intervalMs)
      await delay(2 * intervalMs)
      const { arrivals } = await ask<{ arrivals: [number, number[]][] }>(client)
      const pushed = new Map(arrivals.map(([height, times]) => [height, times[0]!]))
      for (const [where, times] of [
        ['/v1/head', seen],
        ['WebSocket', pushed],
      ] as const)
        rows.push({ 'WebSocket to the node': listen ? 'yes' : 'no', seen: where, ...summarize(sentAt, times, first) })
      stopping.abort()
      await indexing
      for (const child of [client, api]) child.kill()
    }
    printTable(
      `from a block at the node to its readers, ${blocks} blocks, one per ${intervalMs} ms (goal: median ≤ 150 ms)`,
      rows,
    )
  } finally {
    for (const child of children) child.kill()
    await node.close()
    await database.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

/** When each height was first answered. */
function watchHead(url: string, signal: AbortSignal): Map<number, number> {
  const seen = new Map<number, number>()
  const look = async () => {
    while (!signal.aborted) {
      const { last_height: height } = (await (await fetch(url)).json()) as { last_height: number }
      if (!seen.has(height)) seen.set(height, performance.timeOrigin + performance.now())
      await delay(HEAD_POLL_MS)
    }
  }
  // Only the end of the round stops it.
  look().catch(() => {})
  return seen
}

function summarize(sentAt: ReadonlyMap<number, number>, seen: ReadonlyMap<number, number>, first: number) {
  const measured = [...sentAt].filter(([height]) => height >= first)
  const delays = measured.flatMap(([height, at]) => (seen.has(height) ? [seen.get(height)! - at] : [])).sort((a, b) => a - b)
  const at = (share: number) => (delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? Number.NaN).toFixed(0)
  return { 'median ms': at(0.5), 'p95 ms': at(0.95), 'max ms': at(1), 'not seen': measured.length - delays.length }
}
