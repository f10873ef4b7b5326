import type { AddressInfo } from 'node:net'
import { HeadWatch } from '../../src/api/head-watch.ts'
import { buildApi } from '../../src/api/server.ts'
import { type BlockStore, readBlocksFrom } from '../../src/api/square/block-store.ts'
import { createRpcSource, type RpcOptions } from '../../src/chain/rpc/source.ts'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import { attachWebSocket, type PushOptions } from '../../src/live/attach.ts'
import { livePaths } from '../../src/live/describe.ts'
import type { Hub } from '../../src/live/hub.ts'
import type { RunOptions } from '../../src/pipeline/run.ts'
import { superviseRun } from '../../src/pipeline/supervise.ts'
import { TxsThread } from '../../src/pipeline/verify/txs-thread.ts'
import { type ReplayNode, type ReplayOptions, startReplayNode } from '../../src/simulation/node/node.ts'
import { openReader } from '../../src/store/db.ts'
import { findHead } from '../../src/store/read/head/head.ts'
import type { ReadServers } from '../../src/store/replicas/read-servers.ts'
import { openHeadAnnouncer } from '../../src/store/write/source-head.ts'
import { Writer } from '../../src/store/write/writer.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { openSharedPool } from '../support/shared-pool.ts'
import { SCHEMA } from '../support/templates.ts'

/** Same seed, same run; another one by `SEED=… npm test`. */
export const SEED = Number(process.env.SEED ?? 20261115)

/** Far above what any wait takes on a loaded machine: a wait in vain fails at its place instead of holding up the whole file. */
const IN_VAIN_MS = 180_000

/** Looks again and again: for what nothing announces to a test. */
export async function waitUntil(test: () => boolean | Promise<boolean>, inVainMs = IN_VAIN_MS): Promise<void> {
  const startedAt = performance.now()
  while (!(await test())) {
    if (performance.now() - startedAt > inVainMs) throw new Error('waited in vain')
    await systemClock.sleep(15)
  }
}

export async function startNode(options: ReplayOptions & { recording?: string } = {}): Promise<ReplayNode> {
  const { recording, ...rest } = options
  const node = await startReplayNode({
    ...(recording !== undefined && { dir: packagePath('data/recordings', recording) }),
    seed: SEED,
    ...rest,
  })
  closeAfterwards(() => node.close())
  return node
}

export type Indexer = {
  /** Settles when the run is over, with what ended it. */
  ended: Promise<void>
  /** Resolves once `height` is the last one committed; rejects with what ended the run before. */
  reached: (height: number) => Promise<void>
  rollbacks: [from: number, to: number][]
  retries: Error[]
  standstills: Error[]
  /** Resolves with the reason once the indexer stands still; rejects with what ended the run before. */
  stands: () => Promise<Error>
  stop: () => Promise<void>
}

export type IndexerOptions = Partial<RunOptions> & { rpc?: Partial<RpcOptions>; clock?: Clock; announce?: boolean }

/** The real pipeline in this process, following nodes. */
export function startIndexer(url: string, nodes: readonly { url: string }[], options: IndexerOptions = {}): Indexer {
  const { rpc, clock, announce = true, ...run } = options
  const controller = new AbortController()
  const source = createRpcSource({ urls: nodes.map((node) => node.url), random: createSeededRandom(SEED), pollMs: 200, ...rpc })
  const announcer = openHeadAnnouncer({ url, schema: SCHEMA })
  const db = openReader({ url, schema: SCHEMA, max: 1 })
  let isOver = false
  const indexer: Indexer = {
    rollbacks: [],
    retries: [],
    standstills: [],
    async stands() {
      await waitUntil(() => isOver || indexer.standstills.length > 0)
      if (isOver) await indexer.ended
      return indexer.standstills[0]!
    },
    async reached(wanted) {
      const isThere = async () => (await findHead(db).catch(() => undefined))?.last_height === wanted
      await waitUntil(async () => isOver || (await isThere())).catch((error) => {
        throw new Error(`height ${wanted} was not reached`, { cause: error })
      })
      if (isOver) await indexer.ended
    },
    ended: superviseRun(
      {
        source,
        openWriter: (signal) => Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, signal),
        openPool: () => openSharedPool(),
        random: createSeededRandom(SEED),
        ...(clock && { clock }),
        onRetry: (error) => indexer.retries.push(error),
        onStandstill: (error) => indexer.standstills.push(error),
      },
      {
        batchBlocks: 50,
        follow: true,
        maxRollbackDepth: 100,
        // Branches are forged without the keys of the recorded validators, and nobody recorded the votes for the last block.
        verifyCommits: false,
        ...run,
        onHead: (head) => {
          run.onHead?.(head)
          return announce ? announcer.announce(head) : undefined
        },
        openTxsThread: () => new TxsThread({ url, schema: SCHEMA }),
        onRollback: (from, to) => indexer.rollbacks.push([from, to]),
      },
      controller.signal,
    ).finally(async () => {
      isOver = true
      await db.end({ timeout: 1 })
      await announcer.close()
      await source.close()
    }),
    async stop() {
      controller.abort(new Error('the test is over'))
      await indexer.ended
    },
  }
  // A test that cares awaits it; the others must not be ended by it.
  indexer.ended.catch(() => {})
  closeAfterwards(() => indexer.stop().catch(() => {}))
  return indexer
}

/** Blocks for blob contents, read from nodes as the key surface does it. */
export function openBlocks(nodes: readonly { url: string }[], chainId: string): BlockStore {
  const source = createRpcSource({ urls: nodes.map((node) => node.url), random: createSeededRandom(SEED) })
  closeAfterwards(() => source.close())
  return readBlocksFrom(source, () => chainId)
}

export type Api = {
  url: string
  wsUrl: string
  hub: Hub
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as they need
  get: (path: string) => Promise<any>
  post: (path: string, body: unknown) => Promise<{ status: number; text: string }>
  stop: () => Promise<void>
}

export type ApiSetup = PushOptions & {
  pollMs?: number
  port?: number /** hear notices; otherwise only the poll is left */
  listen?: boolean
  blocks?: BlockStore
  /** read from these instead of `url` */
  servers?: ReadServers
}

const NO_BLOCKS: BlockStore = { read: async () => undefined }

/** The key surface with its push in this process, on its own port. */
export async function startApi(
  url: string,
  { pollMs = 1000, port = 0, listen = true, blocks = NO_BLOCKS, servers, ...options }: ApiSetup = {},
): Promise<Api> {
  const db = servers?.db ?? openReader({ url, schema: SCHEMA, max: 4 })
  const watch = new HeadWatch(db, { schema: SCHEMA, pollMs, servers, listenOn: listen ? db : undefined })
  await watch.start()
  const ctx = {
    network: { name: 'main', chainId: watch.head?.chain_id ?? '', kind: 'main' as const },
    db,
    head: () => watch.head,
    watch,
    blocks,
    now: () => Date.now(),
  }
  const app = buildApi(ctx, { validateResponses: true, otherPaths: livePaths })
  const hub = attachWebSocket(app, ctx, options)
  await app.listen({ port, host: '127.0.0.1' })
  const address = `127.0.0.1:${(app.server.address() as AddressInfo).port}`
  let stopping: Promise<void> | undefined
  const stop = () =>
    (stopping ??= (async () => {
      await app.close()
      await watch.stop()
      await (servers ? servers.stop() : db.end({ timeout: 1 }))
    })())
  closeAfterwards(stop)
  return {
    url: `http://${address}`,
    wsUrl: `ws://${address}/v1/ws`,
    hub,
    get: async (path) => (await fetch(`http://${address}${path}`)).json(),
    post: async (path, body) => {
      const answer = await fetch(`http://${address}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: answer.status, text: await answer.text() }
    },
    stop,
  }
}
