import { type ChildProcess, fork } from 'node:child_process'
import autocannon from 'autocannon'
import { cpuSecondsOf } from './measure.ts'

export const CONNECTIONS = 16

/** CPU in µs per request: `cpu` of the serving process, `postgresCpu` of the database (0 unless its process is given). */
export type ReadCost = { perSecond: number; p99: number; cpu: number; postgresCpu: number }

export type ReadOptions = {
  url: string
  schema: string
  cacheBytes: number
  /** for each class */
  seconds: number
  /** folder of the segments */
  segments?: string
  /** process of the database server */
  postmaster?: number
}

/** Loads one serving process with each class of requests in turn; `memory` is its resident bytes afterwards. */
export async function measureReads(
  classes: Record<string, string[]>,
  { url, schema, cacheBytes, seconds, segments, postmaster }: ReadOptions,
): Promise<{ costs: Map<string, ReadCost>; memory: number }> {
  const args = [url, schema, String(cacheBytes), ...(segments === undefined ? [] : [segments])]
  const child = fork(new URL('./serve-process.js', import.meta.url), args)
  const postgresSeconds = () => (postmaster === undefined ? 0 : cpuSecondsOf(postmaster))
  try {
    const { address } = await answerOf<{ address: string }>(child)
    await load(address, Object.values(classes).flat(), 1)
    const costs = new Map<string, ReadCost>()
    for (const [name, paths] of Object.entries(classes)) {
      const before = await usageOf(child)
      const postgresBefore = postgresSeconds()
      const { requests, latency, non2xx } = await load(address, paths, seconds)
      if (non2xx > 0) throw new Error(`${name}: ${non2xx} answers were not 2xx`)
      const after = await usageOf(child)
      const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
      costs.set(name, {
        perSecond: requests.average,
        p99: latency.p99,
        cpu: cpu / requests.total,
        postgresCpu: ((postgresSeconds() - postgresBefore) * 1e6) / requests.total,
      })
    }
    return { costs, memory: (await usageOf(child)).rss }
  } finally {
    child.disconnect()
  }
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
