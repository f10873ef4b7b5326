/**
 * Indexes what a node has into a new database and tells what it took. Started by `forkIndexer`. Arguments: URL of the node, records to prove,
 * last height to catch up with, blocks to follow afterwards, whether txs are verified and all records proven at last.
 */
import '../../src/runtime/name-runtime.ts'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseRawBlock } from '../../src/chain/parse.ts'
import { createRpcSource } from '../../src/chain/rpc/source.ts'
import { createHttpTransport, type HttpTransport } from '../../src/chain/rpc/transport.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { PreparePool } from '../../src/pipeline/prepare-pool.ts'
import { type RunOptions, run } from '../../src/pipeline/run.ts'
import { proveIndex } from '../../src/pipeline/verify/prove-index.ts'
import { TxsThread } from '../../src/pipeline/verify/txs-thread.ts'
import { openReader } from '../../src/store/db.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { migrate, SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { listRecords } from '../../src/store/read/claims.ts'
import { findVerified } from '../../src/store/read/head/verified.ts'
import { Writer } from '../../src/store/write/writer.ts'
import { forgetMemorySettings } from '../harness/fork-indexer.ts'
import { cpuSecondsOf, findPostmaster } from '../harness/measure.ts'

/** One stage: blocks or records that it was about; `cpu` in seconds, the indexer's with PostgreSQL's; `requests` to the node by method; `proven` records. */
export type TrustStage = { count: number; seconds: number; cpu: number; requests: Record<string, number>; proven: number }
export type TrustRun = {
  caughtUp: TrustStage
  followed: TrustStage | undefined
  verified: TrustStage | undefined
  proved: TrustStage | undefined
}

const SCHEMA = 'net_main'
const [url = '', sample, until, tipBlocks, verify] = process.argv.slice(2)
forgetMemorySettings()
const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
const server = await startEmbedded({ directory })
await migrate(server.url, SHARED_SCHEMA, 'shared')
await migrate(server.url, SCHEMA, 'network')
const postmaster = findPostmaster(directory)
const requests = new Map<string, number>()
let proven = 0
const TIMEOUT_MS = 30_000
const http = createHttpTransport({ headersTimeoutMs: TIMEOUT_MS, idleTimeoutMs: TIMEOUT_MS, totalTimeoutMs: TIMEOUT_MS })
/** Counts requests by the method of their first call: the others of a batch are of the same kind. */
const transport: HttpTransport = {
  ...http,
  send(exchange) {
    const method = /"method":"(\w+)"/.exec(exchange.body)?.[1] ?? 'other'
    requests.set(method, (requests.get(method) ?? 0) + 1)
    return http.send(exchange)
  },
}
const source = createRpcSource({ urls: [url], maxBatchCalls: 100, transport })
const pool = new PreparePool(1)
const writer = await Writer.open({ url: server.url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)

/** `work` gives the number of blocks, or of records, that it was about. */
async function measure(work: () => Promise<number>): Promise<TrustStage> {
  requests.clear()
  proven = 0
  const [startedAt, own, database] = [performance.now(), process.cpuUsage(), cpuSecondsOf(postmaster)]
  const count = await work()
  const { user, system } = process.cpuUsage(own)
  return {
    count,
    seconds: (performance.now() - startedAt) / 1000,
    cpu: (user + system) / 1e6 + cpuSecondsOf(postmaster) - database,
    requests: Object.fromEntries(requests),
    proven,
  }
}

const options: RunOptions = {
  batchBlocks: 500,
  follow: false,
  maxRollbackDepth: 100,
  proveState: Number(sample),
  onProven: ({ records }) => {
    proven += records
  },
}
const never = new AbortController().signal
const index = (more: Partial<RunOptions>, signal = never) => run(source, writer, pool, { ...options, ...more }, signal)

async function catchUp(to: number): Promise<number> {
  await index({ until: to })
  return to
}

/** Follows the node until `isDone`. */
async function follow(isDone: () => boolean | Promise<boolean>, more: Partial<RunOptions> = {}): Promise<void> {
  const stopping = new AbortController()
  const running = index({ follow: true, ...more }, stopping.signal)
  while (!(await isDone())) await systemClock.sleep(50)
  stopping.abort(new Error('enough'))
  await running
}

/** The node makes blocks, and each is indexed when it is there. */
async function followTip(blocks: number): Promise<number> {
  const last = writer.head!.last_height
  await follow(() => writer.head!.last_height >= last + blocks)
  return writer.head!.last_height - last
}

/** Everything that was written is verified by the background thread; the node stands. */
async function verifyAll(): Promise<number> {
  const db = openReader({ url: server.url, schema: SCHEMA, max: 1 })
  const first = (await findVerified(db))!.height
  const openTxsThread = () => new TxsThread({ url: server.url, schema: SCHEMA })
  const { height: last } = await source.head(never)
  await follow(async () => (await findVerified(db))!.height >= last, { dataRoots: 'background', openTxsThread })
  await db.end()
  return last - first
}

/** As `audit --prove --all` does it. */
async function proveAll(): Promise<number> {
  const db = openReader({ url: server.url, schema: SCHEMA, max: 1 })
  const { last_height: height, chain_id: chainId } = writer.head!
  const above = parseRawBlock((await source.readBlock(height + 1, never))!, { chainId })
  const appHash = Buffer.from(above.hashes.app_hash, 'hex')
  const done = await db.begin((sql) => proveIndex(source, listRecords(sql as never), { height, appHash }, { signal: never }))
  await db.end()
  return done.proven
}

const caughtUp = await measure(() => catchUp(Number(until)))
const isLast = verify === 'true'
const proved = isLast ? await measure(proveAll) : undefined
const verified = isLast ? await measure(verifyAll) : undefined
let followed: TrustStage | undefined
if (Number(tipBlocks) > 0) {
  // Blocks came in meanwhile.
  await index({})
  followed = await measure(() => followTip(Number(tipBlocks)))
}
await writer.close()
await pool.close()
await source.close()
await server.stop()
await rm(directory, { recursive: true, force: true })
process.send!({ caughtUp, followed, verified, proved } satisfies TrustRun, () => process.exit(0))
