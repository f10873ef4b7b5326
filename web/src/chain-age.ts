import { api } from './api.ts'
import { useLive } from './live.ts'
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
