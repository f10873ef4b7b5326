import { existsSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/lib/package-path.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { indexFolder } from '../harness/index-folder.ts'
import { CONNECTIONS, GENERATOR } from '../harness/load.ts'
import { findPostmaster, printTable } from '../harness/measure.ts'
import { requestClasses } from './read-classes.ts'
import { measureReads, type ReadCost } from './read-load.ts'

const SCHEMA = 'net_main'
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
    const classes = await requestClasses(server.url, SCHEMA)
    const options = { url: server.url, schema: SCHEMA, seconds, postmaster: findPostmaster(directory) }
    const plain = await measureReads(classes, { ...options, cacheBytes: 0 })
    const cached = await measureReads(classes, { ...options, cacheBytes: CACHE_BYTES })
    printTable(
      `reads of ${folder.split('/').at(-1)}: one process, ${CONNECTIONS} connections, ${seconds} s each (requests/s · p99 ms)`,
      Object.keys(classes).map((name) => ({
        class: name,
        'no cache': rateText(plain.costs.get(name)!),
        'CPU µs': Math.round(plain.costs.get(name)!.cpu),
        'PostgreSQL µs': Math.round(plain.costs.get(name)!.postgresCpu),
        'reference, no cache': REFERENCE[name]?.[0] ?? '',
        'head-bound cache': rateText(cached.costs.get(name)!),
        'CPU µs (cached)': Math.round(cached.costs.get(name)!.cpu),
        'reference, stale cache': REFERENCE[name]?.[1] ?? '',
      })),
    )
    console.log(`load by ${GENERATOR}`)
    console.log(
      `memory of the serving process: ${megabytes(plain.memory)} MB without, ${megabytes(cached.memory)} MB with the cache`,
    )
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

const rateText = ({ perSecond, p99 }: ReadCost) => `${Math.round(perSecond)} · ${p99}`
const megabytes = (bytes: number) => Math.round(bytes / 1e6)
