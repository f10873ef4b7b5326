import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

export const CONNECTIONS = 16

/** `duration` in seconds, or `amount` of requests */
export type Extent = { duration: number } | { amount: number }

export type Load = { requests: number; perSecond: number; p99: number; failed: number }

/** The reference was loaded with wrk, which takes a fraction of the CPU that a generator in Node takes from the server beside it. */
const hasWrk = spawnSync('wrk', ['-v'], { stdio: 'ignore' }).error === undefined

export const GENERATOR = hasWrk ? 'wrk' : 'autocannon (wrk is not installed; it takes less of the CPU)'

/** Asks for the paths in turn, over as many connections as the figures of the reference were taken with. */
export function loadServer(address: string, paths: readonly string[], extent: Extent): Promise<Load> {
  return hasWrk && 'duration' in extent ? runWrk(address, paths, extent.duration) : runAutocannon(address, paths, extent)
}

async function runAutocannon(url: string, paths: readonly string[], extent: Extent): Promise<Load> {
  const requests = paths.map((path) => ({ method: 'GET' as const, path }))
  const result = await autocannon({ url, connections: CONNECTIONS, requests, ...extent })
  return {
    requests: result.requests.total,
    perSecond: result.requests.average,
    p99: result.latency.p99,
    failed: result.non2xx,
  }
}

/** Times are in microseconds. */
const SCRIPT = `
local requests, sent = {}, 0
function init()
  for i, path in ipairs(paths) do requests[i] = wrk.format('GET', path) end
end
function request()
  sent = sent + 1
  return requests[sent % #requests + 1]
end
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  local text = '\\n{"requests":%d,"duration":%d,"p99":%d,"failed":%d}\\n'
  io.write(text:format(summary.requests, summary.duration, latency:percentile(99), failed))
end
`

async function runWrk(address: string, paths: readonly string[], seconds: number): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), 'astrolabe-load-'))
  try {
    const script = join(folder, 'requests.lua')
    await writeFile(script, `local paths = {${paths.map((path) => JSON.stringify(path)).join(',')}}\n${SCRIPT}`)
    const args = [
      '--threads',
      '1',
      '--connections',
      String(CONNECTIONS),
      '--duration',
      `${seconds}s`,
      '--script',
      script,
      address,
    ]
    const { stdout } = await promisify(execFile)('wrk', args)
    const { requests, duration, p99, failed } = JSON.parse(stdout.trim().split('\n').at(-1)!)
    return { requests, perSecond: (requests * 1e6) / duration, p99: Math.round(p99 / 1000), failed }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
