import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { packagePath } from '../src/lib/package-path.ts'
import { startEmbedded } from '../src/store/embedded.ts'
import { partitionTables } from '../src/store/partitions/convert.ts'
import { openPartitioner } from '../src/store/partitions/make.ts'
import { indexFolder } from './index-folder.ts'
import { printTable } from './measure.ts'
import { requestClasses } from './read-classes.ts'
import { measureReads, type ReadCost } from './read-load.ts'

const SCHEMA = 'net_main'
const PARTITIONS = 100
const ROUNDS = 3

/**
 * What a read costs in CPU on plain tables and on a hundred partitions, in the serving process and in PostgreSQL, in turns. `partitions 3 tx`:
 * seconds for each class of a round, and only classes with this text in their name.
 */
export async function run(args: string[]): Promise<void> {
  const bulk = packagePath('../shared/chain/bulk')
  const folder = existsSync(bulk) ? bulk : packagePath('data/recordings/devnet')
  const seconds = Number(args[0] ?? 2)
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
    const rounds: [plain: Map<string, ReadCost>, cut: Map<string, ReadCost>][] = []
    const measure = (url: string) => measureReads(classes, { url, schema: SCHEMA, cacheBytes: 0, seconds, postmaster })
    for (let round = 0; round < ROUNDS; round++) rounds.push([(await measure(plain)).costs, (await measure(cut)).costs])
    printTable(
      `reads of ${folder.split('/').at(-1)}: CPU µs per request, serving process + PostgreSQL, median of ${ROUNDS} rounds in turns`,
      Object.keys(classes).map((name) => {
        const [onPlain, onCut] = [0, 1].map((side) => median(rounds.map((round) => round[side]!.get(name)!))) as [
          ReadCost,
          ReadCost,
        ]
        return {
          class: name,
          plain: costText(onPlain),
          [`${PARTITIONS} partitions`]: costText(onCut),
          ratio: (total(onCut) / total(onPlain)).toFixed(2),
        }
      }),
    )
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

const total = ({ cpu, postgresCpu }: ReadCost) => cpu + postgresCpu
const costText = ({ cpu, postgresCpu }: ReadCost) => `${Math.round(cpu)} + ${Math.round(postgresCpu)}`
const median = (costs: ReadCost[]) => costs.sort((a, b) => total(a) - total(b))[Math.floor(costs.length / 2)]!

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
