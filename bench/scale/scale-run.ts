import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import pg from 'pg'
import { createRpcSource } from '../../src/chain/rpc/source.ts'
import type { ChainSource } from '../../src/chain/source.ts'
import { openFolder } from '../../src/lib/object-store/folder.ts'
import type { Progress } from '../../src/pipeline/catch-up.ts'
import { PreparePool } from '../../src/pipeline/prepare-pool.ts'
import { run as runPipeline } from '../../src/pipeline/run.ts'
import { type EmbeddedServer, startEmbedded } from '../../src/store/embedded/server.ts'
import { migrate, SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { openSealer } from '../../src/store/segments/run-sealer.ts'
import { sealNext } from '../../src/store/segments/seal.ts'
import { Writer } from '../../src/store/write/writer.ts'
import { cpuSecondsOf, findPostmaster, watchMemory } from '../harness/measure.ts'
import { readSizes, type TableSizes } from '../harness/table-sizes.ts'
import { type ForkedNode, forkNode } from '../ingest/ingest-run.ts'
import { requestClasses } from '../read/read-classes.ts'
import type { ReadTarget } from './scale-reads.ts'

const SCHEMA = 'net_main'
const UNDO_DEPTH = 100
const SEGMENT_HEIGHTS = 1000
const DAY_SECONDS = 86_400
/** Holds the indexes of a million blocks, as the server of such an index should (docs/production.md), where the machine has so much. */
const BUFFERS_MB = Math.min(8192, Math.floor(totalmem() / 3 / 2 ** 20))
/** Whoever waits for a turn would collect and shrink its heap as if its work were over, and pay for that in the next one: the larger the heap, the more. */
const KEEP_HEAP_WHEN_IDLE = '--no-memory-reducer'
/** Tables whose bytes move into segments, and where they are until then. */
export const BULKY = ['block', 'tx', 'message', 'unsealed']

/** Times in seconds; `postgres` and `node` are CPU, `indexer` too (all its threads). */
export type Stretch = {
  to: number
  blocks: number
  txs: number
  seconds: number
  indexer: number
  postgres: number
  node: number
  peakMemory: number
}

/** Two stretches, one after the other. */
export const joinStretches = (a: Stretch, b: Stretch): Stretch => ({
  to: b.to,
  blocks: a.blocks + b.blocks,
  txs: a.txs + b.txs,
  seconds: a.seconds + b.seconds,
  indexer: a.indexer + b.indexer,
  postgres: a.postgres + b.postgres,
  node: a.node + b.node,
  peakMemory: Math.max(a.peakMemory, b.peakMemory),
})

/** One index on the bundled PostgreSQL with its normal durability, fed by a node that makes the chain, stretch by stretch. */
export class ScaleRun {
  readonly #work: string
  readonly #server: EmbeddedServer
  readonly #node: ForkedNode
  readonly #source: ChainSource
  readonly #pool: PreparePool
  readonly #writer: Writer
  readonly #postmaster: number

  private constructor(
    work: string,
    server: EmbeddedServer,
    node: ForkedNode,
    source: ChainSource,
    pool: PreparePool,
    writer: Writer,
  ) {
    this.#work = work
    this.#server = server
    this.#node = node
    this.#source = source
    this.#pool = pool
    this.#writer = writer
    this.#postmaster = findPostmaster(server.directory)
  }

  static async open(blocks: number, threads: number, folder = tmpdir()): Promise<ScaleRun> {
    setFlagsFromString(KEEP_HEAP_WHEN_IDLE)
    const work = mkdtempSync(join(folder, 'astrolabe-scale-'))
    const server = await startEmbedded({ directory: work, buffersMb: BUFFERS_MB })
    await migrate(server.url, SHARED_SCHEMA, 'shared')
    await migrate(server.url, SCHEMA, 'network')
    const node = await forkNode('./scale-node-process.js', [String(blocks)], [KEEP_HEAP_WHEN_IDLE])
    const source = createRpcSource({ urls: [node.url], maxBatchCalls: 100 })
    const pool = new PreparePool(threads, { forSegments: true })
    const writer = await Writer.open({ url: server.url, schema: SCHEMA, undoDepth: UNDO_DEPTH }, new AbortController().signal)
    return new ScaleRun(work, server, node, source, pool, writer)
  }

  get height(): number {
    return this.#writer.head?.last_height ?? 0
  }

  /** Indexes up to a height, or as far as it comes until `signal`. */
  async indexTo(until: number, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<Stretch> {
    const [from, txsBefore] = [this.height, this.#txs]
    const memory = watchMemory()
    const postgres = cpuSecondsOf(this.#postmaster)
    const node = this.#node.cpuSeconds()
    const cpu = process.cpuUsage()
    const startedAt = performance.now()
    const options = { batchBlocks: 500, follow: false, maxRollbackDepth: UNDO_DEPTH, until, onProgress }
    await runPipeline(this.#source, this.#writer, this.#pool, options, signal)
    await this.#writer.settled()
    const seconds = (performance.now() - startedAt) / 1000
    const { user, system } = process.cpuUsage(cpu)
    return {
      to: this.height,
      blocks: this.height - from,
      txs: this.#txs - txsBefore,
      seconds,
      indexer: (user + system) / 1e6,
      postgres: cpuSecondsOf(this.#postmaster) - postgres,
      node: this.#node.cpuSeconds() - node,
      peakMemory: memory.stop(),
    }
  }

  get #txs(): number {
    return Number(this.#writer.head?.total_tx ?? 0)
  }

  /** Moves everything that is final into segments; returns the seconds. */
  async seal(): Promise<number> {
    const startedAt = performance.now()
    const client = await openSealer(this.#server.url, SCHEMA)
    const options = { store: openFolder(this.#segments), prefix: 'main', heights: SEGMENT_HEIGHTS }
    while (await sealNext(client, options));
    await client.end()
    return (performance.now() - startedAt) / 1000
  }

  get #segments(): string {
    return join(this.#work, 'segments')
  }

  /** Before anything was sealed: as if the bytes beside the rows stood in them. */
  async sizesWithoutSegments(): Promise<TableSizes> {
    const { database, tables, ...counts } = await this.sizes()
    const client = await openSealer(this.#server.url, SCHEMA)
    const { rows } = await client.query<{ bytes: string }>('select sum(octet_length(bytes)) as bytes from unsealed')
    await client.end()
    const inRows = Number(rows[0]!.bytes)
    return { ...counts, database: database - tables.get('unsealed')! + inRows, tables: new Map(tables).set('unsealed', inRows) }
  }

  /** `compact` rewrites the tables that lost bytes to segments. */
  sizes({ compact = false } = {}): Promise<TableSizes> {
    return readSizes(this.#server.url, SCHEMA, { compact: compact ? BULKY : [] })
  }

  async segmentBytes(): Promise<number> {
    let bytes = 0
    for await (const { size } of openFolder(this.#segments).list('main/')) bytes += size
    return bytes
  }

  /** Keys for the read classes. The tables are analyzed first: a short run may end before autovacuum does it. */
  async readTarget(): Promise<ReadTarget> {
    const { url } = this.#server
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('analyze')
    await client.end()
    const classes = await requestClasses(url, SCHEMA, { seriesSeconds: DAY_SECONDS })
    const options = { url, schema: SCHEMA, cacheBytes: 0, segments: this.#segments, postmaster: this.#postmaster }
    return { height: this.height, classes, options }
  }

  async close(): Promise<void> {
    await this.#writer.close()
    await this.#pool.close()
    await this.#source.close()
    this.#node.stop()
    await this.#server.stop()
    await rm(this.#work, { recursive: true, force: true })
  }
}
