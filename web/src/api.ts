import { type Client, createClient } from '../../src/client/client.ts'
import { OPERATIONS } from '../../src/client/gen/operations.ts'
import { createStore, useStore } from './store.ts'

/** Of one page at a time: the browser would queue more anyway, and a limit is met by few instead of all. */
const AT_ONCE = 6
const TRIES = 20
const LONGEST_WAIT_S = 10

let running = 0
const queue: (() => void)[] = []
/** Told by the server: nothing is asked before. */
let heldUntil = 0

/**
 * A page that asks for much may meet the limit of the free plan. Then all of its questions wait as long as the server says, and are
 * asked again.
 */
export const askPatiently: typeof fetch = async (input, init) => {
  await new Promise<void>((enter) => {
    queue.push(enter)
    admit()
  })
  try {
    for (let left = TRIES - 1; ; left--) {
      while (heldUntil > Date.now()) await new Promise((resolve) => setTimeout(resolve, heldUntil - Date.now()))
      init?.signal?.throwIfAborted()
      const response = await fetch(input, init)
      const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
      const isTooMuch = response.status === 429 || response.status === 503
      if (!isTooMuch || left === 0 || !(wait <= LONGEST_WAIT_S)) return response
      heldUntil = Math.max(heldUntil, Date.now() + Math.max(wait, 0.25) * 1000)
    }
  } finally {
    running--
    admit()
  }
}

function admit(): void {
  while (running < AT_ONCE && queue.length > 0) {
    running++
    queue.shift()!()
  }
}

/** The network that serves this page. */
export const api = createClient({ baseUrl: '', fetch: askPatiently })

/** Address of what an operation answers, for those who want the JSON itself. */
export function addressOf(operation: keyof typeof OPERATIONS, input: Record<string, unknown>): string {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined && value !== ''))
  const path = OPERATIONS[operation][1].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  const query = [...rest].map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  return query ? `${path}?${query}` : path
}

/** Client with the visitor's key, kept in memory alone: it is gone when the page is closed. */
const keyed = createStore<Client | undefined>(undefined)

export const chooseKey = (key: string): void =>
  keyed.set(key === '' ? undefined : createClient({ baseUrl: '', apiKey: key, fetch: askPatiently }))

/** The API with the key that the visitor gave, if one was given. */
export const useKeyedApi = (): Client | undefined => useStore(keyed, (client) => client)
