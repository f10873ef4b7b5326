import { existsSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { HeadWatch } from '../src/api/head-watch.ts'
import { statsRoutes } from '../src/api/routes/stats/all-stats.ts'
import { buildApi } from '../src/api/server.ts'
import { openRecordingSource } from '../src/chain/recording/source.ts'
import { encodeAddress } from '../src/lib/encoding/bech32.ts'
import { packagePath } from '../src/lib/package-path.ts'
import { PreparePool } from '../src/pipeline/prepare-pool.ts'
import { run as runPipeline } from '../src/pipeline/run.ts'
import { openReader } from '../src/store/db.ts'
import { startEmbedded } from '../src/store/embedded/server.ts'
import { migrate, SHARED_SCHEMA } from '../src/store/migrations/migrate.ts'
import type { PackedBlock } from '../src/store/pack/pack-block.ts'
import { Writer } from '../src/store/write/writer.ts'
import { generateChain, generatedNamespace } from '../test/support/generated-chain.ts'
import { printTable } from './measure.ts'

const SCHEMA = 'net_main'
const REQUESTS = 40
const LIMIT_MS = 10

/**
 * Server time of every statistics route, uncached: on the bulk recording, and on a generated chain ten times as long. The figures must
 * not grow with the chain. `npm run bench -- stats [BLOCKS]` sets the length of the longer one.
 */
export async function run(args: string[]): Promise<void> {
  const bulk = packagePath('../shared/chain/bulk')
  const recording = existsSync(bulk) ? bulk : packagePath('data/recordings/devnet')
  const long = Number(args[0] ?? 49_700)
  const short = await measure((url) => indexRecording(url, recording))
  const tenfold = await measure((url) => indexGenerated(url, long))
  printTable(
    `server time in ms over ${REQUESTS} requests: ${recording.split('/').at(-1)} (${short.blocks} blocks), generated (${tenfold.blocks} blocks)`,
    short.routes.map(({ route, median, p95 }, i) => ({
      route,
      median: median.toFixed(2),
      p95: p95.toFixed(2),
      'median, long': tenfold.routes[i]!.median.toFixed(2),
      'p95, long': tenfold.routes[i]!.p95.toFixed(2),
      [`<= ${LIMIT_MS} ms`]: Math.max(median, tenfold.routes[i]!.median) <= LIMIT_MS ? 'yes' : 'NO',
    })),
  )
}

type RouteTime = { route: string; median: number; p95: number }

async function measure(fill: (url: string) => Promise<void>): Promise<{ blocks: number; routes: RouteTime[] }> {
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const server = await startEmbedded({ directory, ephemeral: true })
  try {
    await migrate(server.url, SHARED_SCHEMA, 'shared')
    await migrate(server.url, SCHEMA, 'network')
    await fill(server.url)
    await analyze(server.url)
    const db = openReader({ url: server.url, schema: SCHEMA, max: 4 })
    const watch = new HeadWatch(db, { schema: SCHEMA })
    await watch.start()
    const app = buildApi(
      {
        network: { name: 'main', chainId: 'bench', kind: 'main' },
        db,
        watch,
        head: () => watch.head,
        blocks: { txs: async () => undefined },
        now: Date.now,
      },
      { groups: [statsRoutes], cacheBytes: 0 },
    )
    const routes: RouteTime[] = []
    for (const [route, path] of await listPaths(server.url)) routes.push({ route, ...(await time(app, path)) })
    const blocks = watch.head!.last_height
    await app.close()
    await watch.stop()
    await db.end()
    return { blocks, routes }
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function time(app: FastifyInstance, path: string): Promise<{ median: number; p95: number }> {
  const times: number[] = []
  for (let i = -5; i < REQUESTS; i++) {
    const startedAt = performance.now()
    const { statusCode, payload } = await app.inject({ method: 'GET', url: `/v1${path}` })
    if (statusCode >= 300) throw new Error(`${path}: ${statusCode} ${payload}`)
    // The first ones prepare the statements.
    if (i >= 0) times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  return { median: times[Math.floor(REQUESTS / 2)]!, p95: times[Math.floor(REQUESTS * 0.95)]! }
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${SCHEMA} -c timezone=UTC` })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const analyze = (url: string) => withClient(url, (client) => client.query('analyze').then(() => {}))

/** One path per route and kind of work; owners are the busiest ones. */
function listPaths(url: string): Promise<[route: string, path: string][]> {
  return withClient(url, async (client) => {
    const one = async (text: string) => Object.values((await client.query<Record<string, unknown>>(text)).rows[0] ?? {})[0]
    const address = (await one(
      `select encode(a.address, 'hex') from address_bucket b join address a on a.id = b.address_id where frame = 3 order by tx_count desc limit 1`,
    )) as string
    const namespace = (await one(`select encode(namespace_id, 'hex') from namespace order by size desc limit 1`)) as string
    const now = Number(await one('select extract(epoch from last_time)::bigint from head'))
    const period = `from=${now - 5000}&to=${now - 100}`
    const account = encodeAddress('celestia', address)
    return [
      ['series, hours', '/stats/series/tps/hour'],
      ['series, weeks', '/stats/series/gas_price/week'],
      ['series, years', '/stats/series/rewards/year'],
      ['cumulative, hours of a period', `/stats/series/fee/hour/cumulative?${period}`],
      ['cumulative, days', '/stats/series/blobs_size/day/cumulative'],
      ['summary, count', '/stats/summary/tx/count'],
      ['summary, average', '/stats/summary/block_stats/avg?column=fee'],
      ['summary, maximum of txs in a period', `/stats/summary/tx/max?column=gas_used&${period}`],
      ['summary, sum of a period', `/stats/summary/block_stats/sum?column=rewards&${period}`],
      ['summary, last time', '/stats/summary/event/max?column=time'],
      ['tps', '/stats/tps'],
      ['changes of 24 h', '/stats/changes_24h'],
      ['messages of 24 h', '/stats/messages_count_24h'],
      ['size groups', '/stats/size_groups'],
      ['square sizes', '/stats/square_size'],
      ['rollups of 24 h', '/stats/rollup_stats_24h'],
      ['namespace series', `/stats/namespace/series/${namespace}/size/hour`],
      ['namespace usage', '/stats/namespace/usage?top=100'],
      ['staking series', '/stats/staking/series/1/rewards/hour'],
      ['staking, cumulative flow', '/stats/staking/series/1/cumulative_flow/day'],
      ['staking distribution', '/stats/staking/distribution'],
      ['ibc series', '/stats/ibc/series/channel-0/amount/hour'],
      ['ibc chains', '/stats/ibc/chains'],
      ['ibc summary', '/stats/ibc/summary'],
      ['hyperlane series', '/stats/hyperlane/series/42161/amount/hour'],
      ['hyperlane totals', '/stats/hyperlane/chains/count/day'],
      ['hyperlane chains', '/stats/hyperlane/chains'],
      ['price', '/stats/price/current'],
      ['price series', '/stats/price/series/1h'],
      ['rollup day board', '/rollup/day'],
      ['rollup groups', '/rollup/group?func=sum&column=stack'],
      ['all rollups', '/rollup/stats/series/hour'],
      ['rollup series', '/rollup/1/stats/size/hour'],
      ['rollup distribution', '/rollup/1/distribution/size/hour'],
      ['validator metrics', '/validators/1/metrics'],
      ['validators, mean', '/validators/metrics'],
      ['address series', `/address/${account}/stats/fee/hour`],
    ]
  })
}

/** One namespace stands for a rollup. */
async function registerRollup(url: string, namespace: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`insert into rollup (id, name, slug, verified) values (1, 'Bench', 'bench', true)`)
    await client.query('insert into rollup_provider (rollup_id, position, namespace) values (1, 0, $1)', [
      Buffer.from(namespace, 'hex'),
    ])
  })
}

async function indexGenerated(url: string, blocks: number): Promise<void> {
  await registerRollup(url, generatedNamespace(0))
  const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
  const batch: PackedBlock[] = []
  for (const block of generateChain({ seed: 1, effectRate: 0.1, validators: 100 })) {
    if (block.height === 0) {
      await writer.commitGenesis(block, { chainId: 'bench', genesisHash: '00' })
      continue
    }
    batch.push(block)
    if (batch.length < 100 && block.height < blocks) continue
    await writer.commit(batch.splice(0))
    if (block.height >= blocks) break
  }
  await writer.settled()
  await writer.close()
}

async function indexRecording(url: string, folder: string): Promise<void> {
  const signal = new AbortController().signal
  const source = await openRecordingSource(folder)
  const pool = new PreparePool(1)
  const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, signal)
  await runPipeline(source, writer, pool, { batchBlocks: 100, follow: false, maxRollbackDepth: 100 }, signal)
  await writer.close()
  await pool.close()
  await source.close()
}
