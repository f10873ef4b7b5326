import { WebSocket } from 'ws'
import { computeBackoff } from '../../lib/backoff.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Random } from '../../lib/random.ts'

const SUBSCRIBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='NewBlockHeader'" } })
const RECONNECT = { minMs: 1000, maxMs: 5000 }

export type AnnouncedHeader = { height: number; time: string; chainId: string }

/**
 * Listens to a node's WebSocket for new headers until aborted. Everything about it may fail: heads are polled beside it. A node announces
 * a block when its results are there too, which is later than its status names the height.
 */
export async function listenForHeaders(
  url: URL,
  hear: (header: AnnouncedHeader) => void,
  clock: Clock,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const heard = await listenOnce(url, hear, signal)
    failures = heard ? 0 : failures + 1
    // Only an abort ends the sleep early, and the loop sees it.
    await clock.sleep(computeBackoff(failures, random, RECONNECT), signal).catch(() => {})
  }
}

/** Until the connection is over; whether anything was heard on it. */
function listenOnce(url: URL, hear: (header: AnnouncedHeader) => void, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(toSocketUrl(url), { handshakeTimeout: 5000, maxPayload: 1024 * 1024, perMessageDeflate: false })
    const stop = () => socket.terminate()
    signal.addEventListener('abort', stop, { once: true })
    let heard = false
    socket.on('open', () => socket.send(SUBSCRIBE))
    socket.on('message', (message) => {
      const { isRefused, header } = parseAnswer(String(message))
      // A node with too many listeners may have room later.
      if (isRefused) socket.terminate()
      if (!header) return
      heard = true
      hear(header)
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

type Answer = { error?: unknown; result?: { data?: { value?: { header?: Record<string, unknown> } } } }

function parseAnswer(text: string): { isRefused?: boolean; header?: AnnouncedHeader } {
  try {
    const message = JSON.parse(text) as Answer
    if (message.error) return { isRefused: true }
    const { height, time, chain_id: chainId } = message.result?.data?.value?.header ?? {}
    const isComplete = Number.isSafeInteger(Number(height)) && typeof time === 'string' && typeof chainId === 'string'
    return isComplete ? { header: { height: Number(height), time, chainId } } : {}
  } catch {
    // A message that cannot be read announces nothing.
    return {}
  }
}
