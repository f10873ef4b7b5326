/** Shared parts of the benches of a running chain: an indexer behind a replay node that makes blocks, and processes that report. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createRpcSource, type RpcOptions } from '../../src/chain/rpc/source.ts'
import { PreparePool } from '../../src/pipeline/prepare-pool.ts'
import { superviseRun } from '../../src/pipeline/supervise.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { migrate, SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { Writer } from '../../src/store/write/writer.ts'

export const SCHEMA = 'net_main'

/** The pipeline in this process, following `node`; resolves once it has caught up. */
export async function startIndexing(
  url: string,
  node: ReplayNode,
  signal: AbortSignal,
  options: Partial<RpcOptions> = {},
): Promise<{ indexing: Promise<void> }> {
  await migrate(url, SHARED_SCHEMA, 'shared')
  await migrate(url, SCHEMA, 'network')
  const source = createRpcSource({ urls: [node.url], ...options })
  let caughtUp = () => {}
  const ready = new Promise<void>((resolve) => {
    caughtUp = resolve
  })
  const indexing = superviseRun(
    {
      source,
      openWriter: (abort) => Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, abort),
      openPool: () => new PreparePool(1),
    },
    {
      batchBlocks: 100,
      follow: true,
      maxRollbackDepth: 100,
      // A recording has no votes for its last block.
      verifyCommits: false,
      onCaughtUp: () => caughtUp(),
    },
    signal,
  ).finally(() => source.close())
  await Promise.race([ready, indexing])
  return { indexing }
}

/** When each height became available at the node. */
export async function playBlocks(node: ReplayNode, count: number, intervalMs: number): Promise<Map<number, number>> {
  const sentAt = new Map<number, number>()
  const startedAt = performance.now()
  for (let i = 0; i < count; i++) {
    await delay(Math.max(0, startedAt + i * intervalMs - performance.now()))
    sentAt.set(node.height + 1, performance.timeOrigin + performance.now())
    await node.advance()
  }
  return sentAt
}

export function start(children: ChildProcess[], file: string, args: string[]): ChildProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args)
  children.push(child)
  return child
}

export async function message<T>(child: ChildProcess): Promise<T> {
  const [value] = await once(child, 'message')
  return value as T
}

export function ask<T>(child: ChildProcess): Promise<T> {
  const answer = message<T>(child)
  child.send('report')
  return answer
}
