import { api } from './api.ts'
import { useLive } from './live.ts'
import type { Timeframe } from './series.ts'
import { createStore, useStore } from './store.ts'

const DAY_MS = 86_400_000

/** Time of the first block; undefined until it is known, null when there is none. */
const start = createStore<number | null | undefined>(undefined)
let isAsked = false

async function askStart(): Promise<void> {
  try {
    const [first] = await api.listBlocks({ limit: 1, sort: 'asc' })
    start.set(first ? Date.parse(first.time) : null)
  } catch {
    start.set(null)
    isAsked = false
  }
}

/** Days from the first block to the newest; undefined until both are known. */
export function useChainDays(): number | undefined {
  if (!isAsked) {
    isAsked = true
    void askStart()
  }
  const first = useStore(start, (value) => value)
  const now = useLive(({ head }) => head?.last_time)
  const isConnecting = useLive(({ connection }) => connection === 'connecting')
  if (first === null || (now === undefined && !isConnecting)) return 0
  return first === undefined || now === undefined ? undefined : (Date.parse(now) - first) / DAY_MS
}

/** Chains younger than this many days are shown in buckets of this size. */
const FITTING: readonly [days: number, timeframe: Timeframe][] = [
  [5, 'hour'],
  [120, 'day'],
  [800, 'week'],
  [Number.POSITIVE_INFINITY, 'month'],
]

/** The size of buckets in which a chain of this age has a shape, or the next finer that there is. */
export function fittingTimeframe<F extends Timeframe>(days: number, timeframes: readonly F[]): F {
  const fitting = FITTING.findIndex(([limit]) => days < limit)
  for (const [, timeframe] of FITTING.slice(0, fitting + 1).reverse()) {
    const found = timeframes.find((name) => name === timeframe)
    if (found) return found
  }
  return timeframes[0]!
}
