import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { packagePath } from '../src/lib/package-path.ts'
import { startEmbedded } from '../src/store/embedded/server.ts'
import { partitionTables } from '../src/store/partitions/convert.ts'
import { openPartitioner } from '../src/store/partitions/make.ts'
import { indexFolder } from './index-folder.ts'
import { printTable } from './measure.ts'
import { requestClasses } from './read-classes.ts'
import { type MeanCost, meanOf, type ReadCost, type ReadServer, startReadServer, totalCpu } from './read-load.ts'

const SCHEMA = 'net_main'
const PARTITIONS = 100
const ROUNDS = 7
/**
 * Requests for each path before it is measured: a statement is planned with its parameters five times on each of the connections before
 * its plan is kept, and one that names a partition is met later than others.
 */
const WARM_UP = 80

/**
 * What a read costs in CPU on plain tables and on a hundred partitions, in the serving process and in PostgreSQL, in short turns: other work on
 * the machine meets both alike. `partitions 3 tx`: seconds of a turn, and only classes with this text in their name.
 */
export async function run(args: string[]): Promise<void> {
  const bulk = packagePath('../shared/chain/bulk')
  const folder = existsSync(bulk) ? bulk : packagePath('data/recordings/devnet')
  const seconds = Number(args[0] ?? 1)
  const part = args[1] ?? ''
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const server = await startEmbedded({ directory })
  try {
    const postmaster = Number(readFileSync(join(directory, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
    const blocks = (JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { to: number }).to
    const plain = await createIndex(server.url, 'plain', folder)
    const cut = await createIndex(server.url, 'cut', folder, Math.ceil(blocks / PARTITIONS))
    const all = Object.entries(await requestClasses(plain, SCHEMA))
    const classes = Object.fromEntries(all.filter(([name]) => name.includes(part)))
    const open = (url: string) => startReadServer({ url, schema: SCHEMA, cacheBytes: 0, postmaster })
    const servers: [ReadServer, ReadServer] = [await open(plain), await open(cut)]
    const rows: Record<string, string>[] = []
    for (const [name, paths] of Object.entries(classes)) rows.push({ class: name, ...(await compare(servers, paths, seconds)) })
    for (const server of servers) server.stop()
    printTable(
      `reads of ${folder.split('/').at(-1)}: CPU µs per request, serving process + PostgreSQL, ${ROUNDS} turns of each`,
      rows,
    )
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function compare(
  [plain, cut]: [ReadServer, ReadServer],
  paths: string[],
  seconds: number,
): Promise<Record<string, string>> {
  for (const server of [plain, cut]) await server.load(paths, { amount: paths.length * WARM_UP })
  const turns: [plain: ReadCost, cut: ReadCost][] = []
  for (let round = 0; round < ROUNDS; round++)
    turns.push([await plain.load(paths, { duration: seconds }), await cut.load(paths, { duration: seconds })])
  const [onPlain, onCut] = [meanOf(turns.map(([cost]) => cost)), meanOf(turns.map(([, cost]) => cost))]
  return {
    plain: costText(onPlain),
    [`${PARTITIONS} partitions`]: costText(onCut),
    ratio: (totalCpu(onCut) / totalCpu(onPlain)).toFixed(2),
  }
}

const costText = ({ cpu, postgresCpu }: MeanCost) => `${Math.round(cpu)} + ${Math.round(postgresCpu)}`

async function createIndex(serverUrl: string, name: string, folder: string, heights?: number): Promise<string> {
  await withClient(serverUrl, (client) => client.query(`create database ${name}`))
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).toString()
  await indexFolder(url, SCHEMA, folder, async () => {
    if (heights === undefined) return
    const client = await openPartitioner(url, SCHEMA)
    await partitionTables(client, { schema: SCHEMA, heights, signal: new AbortController().signal })
    await client.end()
  })
  await withClient(url, (client) => client.query('vacuum analyze'))
  return url
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await work(client)
  await client.end()
}
