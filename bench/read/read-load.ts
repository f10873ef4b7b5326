import { type ChildProcess, fork } from 'node:child_process'
import { answerOf } from '../harness/answer-of.ts'
import { type Extent, loadServer } from '../harness/load.ts'
import { cpuSecondsOf } from '../harness/measure.ts'

/** CPU in µs per request: `cpu` of the serving process, `postgresCpu` of the database (0 unless its process is given). */
export type ReadCost = { requests: number; perSecond: number; p99: number; cpu: number; postgresCpu: number }

export type MeanCost = Omit<ReadCost, 'requests'>

export const totalCpu = ({ cpu, postgresCpu }: Pick<ReadCost, 'cpu' | 'postgresCpu'>): number => cpu + postgresCpu

/** Of all requests of some turns: the system counts the CPU of PostgreSQL in steps that are too coarse for one turn. */
export function meanOf(turns: readonly ReadCost[]): MeanCost {
  const requests = turns.reduce((all, turn) => all + turn.requests, 0)
  const mean = (figure: (turn: ReadCost) => number) =>
    turns.reduce((all, turn) => all + figure(turn) * turn.requests, 0) / requests
  return {
    perSecond: turns.reduce((all, { perSecond }) => all + perSecond, 0) / turns.length,
    p99: Math.max(...turns.map(({ p99 }) => p99)),
    cpu: mean(({ cpu }) => cpu),
    postgresCpu: mean(({ postgresCpu }) => postgresCpu),
  }
}

export type ReadOptions = {
  url: string
  schema: string
  cacheBytes: number
  /** folder of the segments */
  segments?: string
  /** process of the database server */
  postmaster?: number
}

/** Loads one serving process with each class of requests in turn; `memory` is its resident bytes afterwards. */
export async function measureReads(
  classes: Record<string, string[]>,
  { seconds, ...options }: ReadOptions & { /** for each class */ seconds: number },
): Promise<{ costs: Map<string, ReadCost>; memory: number }> {
  const server = await startReadServer(options)
  try {
    await server.load(Object.values(classes).flat(), { duration: 1 })
    const costs = new Map<string, ReadCost>()
    for (const [name, paths] of Object.entries(classes)) costs.set(name, await server.load(paths, { duration: seconds }))
    return { costs, memory: await server.memory() }
  } finally {
    server.stop()
  }
}

export type ReadServer = {
  load: (paths: string[], extent: Extent) => Promise<ReadCost>
  memory: () => Promise<number>
  stop: () => void
}

/** The key surface in its own process, whose CPU is counted. */
export async function startReadServer({ url, schema, cacheBytes, segments, postmaster }: ReadOptions): Promise<ReadServer> {
  const args = [url, schema, String(cacheBytes), ...(segments === undefined ? [] : [segments])]
  // As ops/astrolabe-serve.service starts one.
  const child = fork(new URL('../harness/serve-process.js', import.meta.url), args, { execArgv: ['--max-semi-space-size=8'] })
  const { address } = await answerOf<{ address: string }>(child)
  const postgresSeconds = () => (postmaster === undefined ? 0 : cpuSecondsOf(postmaster))
  return {
    async load(paths, extent) {
      const before = await usageOf(child)
      const postgresBefore = postgresSeconds()
      const versioned = paths.map((path) => `/v1${path}`)
      const { requests, perSecond, p99, failed } = await loadServer(address, versioned, extent)
      if (failed > 0) throw new Error(`${paths[0]} and others: ${failed} requests failed`)
      const after = await usageOf(child)
      const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
      return {
        requests,
        perSecond,
        p99,
        cpu: cpu / requests,
        postgresCpu: ((postgresSeconds() - postgresBefore) * 1e6) / requests,
      }
    },
    memory: async () => (await usageOf(child)).rss,
    stop: () => child.disconnect(),
  }
}

type Usage = { cpu: NodeJS.CpuUsage; rss: number }

function usageOf(child: ChildProcess): Promise<Usage> {
  const answer = answerOf<Usage>(child)
  child.send('usage')
  return answer
}
