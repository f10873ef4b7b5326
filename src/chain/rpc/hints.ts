import { WebSocket } from 'ws'
import { computeBackoff } from '../../lib/backoff.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Random } from '../../lib/random.ts'

const SUBSCRIBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='NewBlockHeader'" } })
const RECONNECT = { minMs: 1000, maxMs: 30_000 }

/** Whoever listens to a node's WebSocket hears of new heights. Everything about it may fail: heads are polled beside it. */
export type HeadHints = {
  /** Resolves at the next hint of a height above `height`; also right away when one came since the last call. */
  next(height: number, signal: AbortSignal): Promise<void>
  close(): void
}

export function listenForHeads(urls: readonly URL[], clock: Clock, random: Random): HeadHints {
  const closing = new AbortController()
  let unused = 0
  let listeners: { height: number; resolve: () => void }[] = []

  function hint(height: number): void {
    const waiting = listeners.filter((listener) => height > listener.height)
    // A hint wakes once: a node that names a height out of reach must not keep us awake.
    if (waiting.length === 0) unused = height
    listeners = listeners.filter((listener) => !waiting.includes(listener))
    for (const listener of waiting) listener.resolve()
  }

  for (const url of urls) void keepListening(url, hint, clock, random, closing.signal)

  return {
    next(height, signal) {
      return new Promise((resolve) => {
        const isKnown = unused > height
        unused = 0
        if (isKnown || signal.aborted) return resolve()
        const listener = { height, resolve }
        listeners.push(listener)
        signal.addEventListener('abort', () => {
          listeners = listeners.filter((other) => other !== listener)
          resolve()
        })
      })
    },
    close: () => closing.abort(),
  }
}

async function keepListening(
  url: URL,
  hint: (height: number) => void,
  clock: Clock,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const heard = await listenOnce(url, hint, signal)
    failures = heard ? 0 : failures + 1
    // Only an abort ends the sleep early, and the loop sees it.
    await clock.sleep(computeBackoff(failures, random, RECONNECT), signal).catch(() => {})
  }
}

/** Until the connection is over; whether anything was heard on it. */
function listenOnce(url: URL, hint: (height: number) => void, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(toSocketUrl(url), { handshakeTimeout: 5000, maxPayload: 1024 * 1024, perMessageDeflate: false })
    const stop = () => socket.terminate()
    signal.addEventListener('abort', stop, { once: true })
    let heard = false
    socket.on('open', () => socket.send(SUBSCRIBE))
    socket.on('message', (message) => {
      const height = parseHeight(String(message))
      if (height === undefined) return
      heard = true
      hint(height)
    })
    // `close` follows and decides; no socket error is worth more than a new try.
    socket.on('error', () => {})
    socket.on('close', () => {
      signal.removeEventListener('abort', stop)
      resolve(heard)
    })
  })
}

function toSocketUrl(url: URL): URL {
  const socket = new URL(url)
  socket.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  socket.pathname = `${url.pathname.replace(/\/$/, '')}/websocket`
  return socket
}

function parseHeight(text: string): number | undefined {
  try {
    const message = JSON.parse(text) as { result?: { data?: { value?: { header?: { height?: unknown } } } } }
    const height = Number(message.result?.data?.value?.header?.height)
    return Number.isSafeInteger(height) ? height : undefined
  } catch {
    // A hint that cannot be read is no hint.
    return undefined
  }
}
