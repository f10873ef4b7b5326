import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { packagePath } from '../../src/lib/package-path.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { answerOf } from '../harness/answer-of.ts'
import { indexFolder } from '../harness/index-folder.ts'
import { CONNECTIONS } from '../harness/load.ts'
import { printTable } from '../harness/measure.ts'
import { requestClasses } from './read-classes.ts'

const SCHEMA = 'net_main'
const CACHE_BYTES = 64 * 2 ** 20
const HEAD_EVERY_MS = 10
const WARM_ANSWERS = 100

type Usage = { cpu: NodeJS.CpuUsage /** CPU ms without a look at what else is there */; loop: { p95: number; max: number } }

/** How long `/v1/head` takes while one client floods the process with requests of a kind, without limits. */
export async function run(args: string[]): Promise<void> {
  const bulk = packagePath('../shared/chain/bulk')
  const folder = existsSync(bulk) ? bulk : packagePath('data/recordings/devnet')
  const seconds = Number(args[0] ?? 5)
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const server = await startEmbedded({ directory })
  try {
    await indexFolder(server.url, SCHEMA, folder)
    const rows: Record<string, string | number>[] = []
    for (const [name, paths] of Object.entries(await floods(server.url)))
      rows.push({ flood: name, ...(await measureHead(server.url, paths, seconds)) })
    printTable(
      `/v1/head every ${HEAD_EVERY_MS} ms while one client with ${CONNECTIONS} connections floods a process (${folder.split('/').at(-1)}, ${seconds} s each)`,
      rows,
    )
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function floods(url: string): Promise<Record<string, string[]>> {
  const classes = await requestClasses(url, SCHEMA)
  const of = (name: string, query: string) => classes[name]!.map((path) => `/v1${path.split('?')[0]}?${query}`)
  return {
    nothing: [],
    'txs with messages': ['/v1/tx?limit=100&messages=true&offset=OFFSET'],
    'blocks with stats': ['/v1/block?limit=100&stats=true&offset=OFFSET'],
    'blobs by size': ['/v1/blob?limit=100&sort_by=size&offset=OFFSET'],
    'namespaces by size': ['/v1/namespace?limit=100&sort_by=size&offset=OFFSET'],
    search: classes.search!.map((path) => `/v1${path}&OFFSET`),
    events: of('block events', 'limit=100&offset=OFFSET'),
    statements: of('address', 'OFFSET').map((path) => path.replace('?', '/history?limit=100&offset=')),
  }
}

/** A new process for each kind, so that none finds answers of another. */
async function measureHead(url: string, paths: readonly string[], seconds: number) {
  const child = fork(new URL('../harness/serve-process.js', import.meta.url), [url, SCHEMA, String(CACHE_BYTES)], {
    execArgv: ['--max-semi-space-size=8'],
  })
  const { address } = await answerOf<{ address: string }>(child)
  const flood =
    paths.length > 0 ? fork(new URL('./flood-process.js', import.meta.url), [address, String(CONNECTIONS), ...paths]) : undefined
  try {
    // Code is compiled and connections are opened meanwhile.
    do await askHeads(address, 1)
    while (flood && countAll(await tell<Statuses>(flood)) < WARM_ANSWERS)
    const before = await tell<Usage>(child)
    const answeredBefore = flood ? countAll(await tell<Statuses>(flood)) : 0
    const times = await askHeads(address, seconds)
    const after = await tell<Usage>(child)
    const statuses = flood ? await tell<Statuses>(flood) : {}
    const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
    const answered = countAll(statuses) - answeredBefore
    return {
      'head p50, ms': at(times, 0.5),
      'p95, ms': at(times, 0.95),
      'slowest, ms': at(times, 1),
      'loop held p95, CPU ms': after.loop.p95.toFixed(1),
      'at most, CPU ms': after.loop.max.toFixed(1),
      'requests/s': Math.round(answered / seconds),
      'CPU ms each': answered > 0 ? (cpu / 1000 / answered).toFixed(2) : '',
      statuses: Object.keys(statuses).join(', '),
    }
  } finally {
    flood?.disconnect()
    child.disconnect()
  }
}

type Statuses = Record<string, number>

const countAll = (statuses: Statuses) => Object.values(statuses).reduce((sum, count) => sum + count, 0)
const at = (times: number[], part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))]?.toFixed(1) ?? ''

function tell<T>(child: ChildProcess): Promise<T> {
  const answer = answerOf<T>(child)
  child.send('tell')
  return answer
}

/** Times in milliseconds, sorted. */
async function askHeads(address: string, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const askedAt = performance.now()
    await new Promise((resolve, reject) =>
      get(`${address}/v1/head`, { agent }, (response) => response.resume().on('end', resolve)).on('error', reject),
    )
    times.push(performance.now() - askedAt)
    await setTimeout(HEAD_EVERY_MS)
  }
  agent.destroy()
  return times.sort((a, b) => a - b)
}
