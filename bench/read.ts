import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { encodeAddress } from '../src/lib/bech32.ts'
import { packagePath } from '../src/lib/package-path.ts'
import { openReader } from '../src/store/db.ts'
import { startEmbedded } from '../src/store/embedded.ts'
import { indexFolder } from './index-folder.ts'
import { printTable } from './measure.ts'

const SCHEMA = 'net_main'
const CONNECTIONS = 16
const CACHE_BYTES = 64 * 2 ** 20

/** Figures of the reference on a like machine: requests/s and p99 in ms, without and with its cache (which may be minutes stale). */
const REFERENCE: Record<string, [plain: string, cached: string]> = {
  head: ['5835 · 57', '4196 · 195'],
  'block with stats': ['2315 · 31', '18837 · 25'],
  'block list with stats': ['1154 · 52', '1006 · 69'],
  'tx by hash': ['2403 · 49', '20916 · 20'],
  'tx messages': ['5423 · 12', '24663 · 8'],
  'tx events': ['5187 · 14', '20498 · 9'],
  'tx list': ['1862 · 34', '2124 · 31'],
  'blob list': ['1727 · 45', '1484 · 51'],
  'blobs by namespace': ['1946 · 36', '1555 · 62'],
  'blobs by signer': ['5371 · 26', '4086 · 26'],
  address: ['7740 · 9', '8546 · 8'],
  'address txs': ['3892 · 33', '4754 · 17'],
  'address messages': ['4413 · 16', '5730 · 12'],
  namespaces: ['10613 · 7', '11807 · 6'],
  'validators, uptime': ['5423 · 12', '8296 · 8'],
  'block events': ['3608 · 23', '25522 · 8'],
  search: ['6939 · 18', '8777 · 12'],
  series: ['5684 · 43', '22368 · 11'],
  mix: ['1856 · 56', '3478 · 33'],
}

/** Requests per second, latency and CPU of one serving process, cache off and on, over the bulk recording. */
export async function run(args: string[]): Promise<void> {
  const bulk = packagePath('../shared/chain/bulk')
  const folder = existsSync(bulk) ? bulk : packagePath('data/recordings/devnet')
  const seconds = Number(args[0] ?? 3)
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const server = await startEmbedded({ directory })
  try {
    await indexFolder(server.url, SCHEMA, folder)
    const classes = await requestClasses(server.url)
    const plain = await measureAll(server.url, classes, 0, seconds)
    const cached = await measureAll(server.url, classes, CACHE_BYTES, seconds)
    printTable(
      `reads of ${folder.split('/').at(-1)}: one process, ${CONNECTIONS} connections, ${seconds} s each (requests/s · p99 ms)`,
      Object.keys(classes).map((name) => ({
        class: name,
        'no cache': plain.get(name)!.text,
        'CPU µs': plain.get(name)!.cpu,
        'reference, no cache': REFERENCE[name]?.[0] ?? '',
        'head-bound cache': cached.get(name)!.text,
        'CPU µs (cached)': cached.get(name)!.cpu,
        'reference, stale cache': REFERENCE[name]?.[1] ?? '',
      })),
    )
    console.log(
      `memory of the serving process: ${plain.get('memory')!.text} MB without, ${cached.get('memory')!.text} MB with the cache`,
    )
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

type Measured = { text: string; cpu: number }

async function measureAll(
  url: string,
  classes: Record<string, string[]>,
  cacheBytes: number,
  seconds: number,
): Promise<Map<string, Measured>> {
  const child = fork(new URL('./serve-process.js', import.meta.url), [url, SCHEMA, String(cacheBytes)])
  const { address } = await answerOf<{ address: string }>(child)
  const measured = new Map<string, Measured>()
  try {
    await load(address, Object.values(classes).flat(), 1)
    for (const [name, paths] of Object.entries(classes)) {
      const before = await usageOf(child)
      const result = await load(address, paths, seconds)
      const after = await usageOf(child)
      const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
      if (result.non2xx > 0) throw new Error(`${name}: ${result.non2xx} answers were not 2xx`)
      measured.set(name, {
        text: `${Math.round(result.requests.average)} · ${result.latency.p99}`,
        cpu: Math.round(cpu / result.requests.total),
      })
    }
    measured.set('memory', { text: String(Math.round((await usageOf(child)).rss / 1e6)), cpu: 0 })
  } finally {
    child.disconnect()
  }
  return measured
}

function load(address: string, paths: string[], duration: number): Promise<autocannon.Result> {
  return autocannon({
    url: address,
    connections: CONNECTIONS,
    duration,
    requests: paths.map((path) => ({ method: 'GET', path: `/v1${path}` })),
  })
}

type Usage = { cpu: NodeJS.CpuUsage; rss: number }

function usageOf(child: ChildProcess): Promise<Usage> {
  const answer = answerOf<Usage>(child)
  child.send('usage')
  return answer
}

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => {
    child.once('message', (message) => resolve(message as T))
  })
}

/** Real objects of the index, spread over it. */
async function requestClasses(url: string): Promise<Record<string, string[]>> {
  const sql = openReader({ url, schema: SCHEMA, max: 1 })
  try {
    const heights = (
      await sql<{ height: number }[]>`select height from block where tx_count > 0 and height % 97 = 0 order by height limit 40`
    ).map((row) => row.height)
    const hashes = (
      await sql<
        { hash: string }[]
      >`select encode(hash, 'hex') as hash from tx where hash is not null order by md5(id::text) limit 40`
    ).map((row) => row.hash)
    const namespaces = await sql<
      { id: string; version: number }[]
    >`select encode(namespace_id, 'hex') as id, version from namespace order by id limit 10`
    const signers = (
      await sql<{ address: string }[]>`
      select encode(a.address, 'hex') as address from address a where exists (select 1 from blob b where b.signer_id = a.id) order by id limit 20`
    ).map((row) => encodeAddress('celestia', row.address))
    const validators = (await sql<{ id: number }[]>`select id from validator order by id limit 10`).map((row) => row.id)
    const perSigner = (path: (signer: string) => string) => signers.map(path)
    const classes: Record<string, string[]> = {
      head: ['/head'],
      'block with stats': heights.map((height) => `/block/${height}?stats=true`),
      'block list with stats': ['/block?stats=true&sort=desc&limit=10', '/block?stats=true&limit=20&offset=30'],
      'tx by hash': hashes.map((hash) => `/tx/${hash}`),
      'tx messages': hashes.map((hash) => `/tx/${hash}/messages`),
      'tx events': hashes.map((hash) => `/tx/${hash}/events`),
      'tx list': ['/tx?limit=10&sort=desc', '/tx?limit=10&sort=desc&offset=50', '/tx?limit=10&msg_type=MsgPayForBlobs&sort=desc'],
      'blob list': ['/blob?limit=10', '/blob?limit=10&offset=40', '/blob?limit=10&sort_by=size'],
      'blobs by namespace': namespaces.map(({ id, version }) => `/namespace/${id}/${version}/blobs?limit=10`),
      'blobs by signer': perSigner((signer) => `/blob?limit=10&signers=${signer}`),
      address: perSigner((signer) => `/address/${signer}`),
      'address txs': perSigner((signer) => `/address/${signer}/txs?limit=10&sort=desc`),
      'address messages': perSigner((signer) => `/address/${signer}/messages?limit=10&sort=desc`),
      namespaces: ['/namespace?limit=10&sort_by=size', '/namespace?limit=10'],
      'validators, uptime': ['/validators?limit=10', ...validators.map((id) => `/validators/${id}/uptime?limit=100`)],
      'block events': heights.map((height) => `/block/${height}/events?limit=10`),
      search: [
        ...hashes.slice(0, 10).map((hash) => `/search?query=${hash}`),
        ...signers.slice(0, 10).map((signer) => `/search?query=${signer}`),
      ],
      series: ['/stats/series/tx_count/hour', '/stats/series/blobs_size/day', '/stats/series/tps/day', '/stats/series/fee/hour'],
    }
    return { ...classes, mix: interleave(Object.values(classes)) }
  } finally {
    await sql.end()
  }
}

/** One request of each class in turn. */
function interleave(lists: string[][]): string[] {
  const longest = Math.max(...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, i) => lists.map((list) => list[i % list.length]!)).flat()
}
