import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AstrolabeError, Transient } from '../../lib/errors.ts'
import { boundPieces } from '../../lib/read-bounded.ts'
import { ByteCollector } from '../../runtime/byte-collector.ts'

export type HttpLimits = {
  /** To the first byte of the answer. */
  headersTimeoutMs: number
  /** Between two pieces of the body. */
  idleTimeoutMs: number
  /** For the whole exchange, without the time in which the caller holds the body back. */
  totalTimeoutMs: number
}

export type HttpExchange = {
  url: URL
  body: string
  maxBytes: number
  signal: AbortSignal
  /** Called with each piece of the unpacked body; the next one is read when the promise resolves. */
  onBytes?: (bytes: number) => Promise<void> | undefined
}

/** `body` has memory of its own. `retryAfterMs` is what the server asks for. */
export type HttpAnswer = { status: number; body: Buffer; retryAfterMs?: number }

export type SendHttp = (exchange: HttpExchange) => Promise<HttpAnswer>

export type HttpTransport = { send: SendHttp; close(): void }

/**
 * POST over kept connections. Every failure below HTTP is a Transient: `node_unreachable`, `node_reset`, `node_timeout`,
 * `answer_too_large` (also when a small packed body unpacks to a large one), `bad_encoding`.
 */
export function createHttpTransport(limits: HttpLimits): HttpTransport {
  const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) }
  return {
    async send(exchange) {
      try {
        return await exchangeOnce(agents, limits, exchange)
      } catch (error) {
        // A server may close a kept connection at the moment it is used again; that says nothing about the server.
        if (!(error instanceof StaleConnection)) throw error
        return await exchangeOnce(agents, limits, exchange).catch((again) => {
          throw again instanceof StaleConnection ? again.reason : again
        })
      }
    },
    close() {
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}

class StaleConnection extends AstrolabeError {
  readonly reason: Transient
  constructor(reason: Transient) {
    super('stale_connection', 'stale connection')
    this.reason = reason
  }
}

type Agents = { 'http:': HttpAgent; 'https:': HttpsAgent }

async function exchangeOnce(agents: Agents, limits: HttpLimits, exchange: HttpExchange): Promise<HttpAnswer> {
  const { url, signal } = exchange
  signal.throwIfAborted()
  const isSecure = url.protocol === 'https:'
  const request = (isSecure ? requestHttps : requestHttp)(url, {
    method: 'POST',
    agent: isSecure ? agents['https:'] : agents['http:'],
    signal,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(exchange.body),
      'accept-encoding': 'gzip',
    },
  })
  let expired: Transient | undefined
  const watch = watchTime(limits, (reason) => {
    expired = reason
    request.destroy()
  })
  let isAnswered = false
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).on('error', reject).end(exchange.body)
    })
    isAnswered = true
    watch.sawBytes()
    const body = await readBody(response, exchange, watch)
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'])
    return { status: response.statusCode ?? 0, body, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  } catch (error) {
    request.destroy()
    if (signal.aborted) throw signal.reason
    // The error of a destroyed request does not tell why it was destroyed.
    if (expired) throw expired
    if (error instanceof Transient) throw error
    const reason = toTransient(error as NodeJS.ErrnoException)
    throw request.reusedSocket && !isAnswered && reason.code === 'node_reset' ? new StaleConnection(reason) : reason
  } finally {
    watch.stop()
  }
}

async function readBody(response: IncomingMessage, exchange: HttpExchange, watch: TimeWatch): Promise<Buffer> {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'gzip' && encoding !== 'identity') {
    throw new Transient('bad_encoding', `the answer is packed as ${encoding}, which was not asked for`)
  }
  // Errors of either stream end the loop below.
  const body: Readable = encoding === 'gzip' ? pipeline(response, createGunzip(), () => {}) : response
  const collected = new ByteCollector()
  try {
    for await (const part of boundPieces(body as AsyncIterable<Buffer>, exchange.maxBytes)) {
      collected.add(part)
      const gate = exchange.onBytes?.(part.length)
      if (gate) await watch.pauseFor(gate)
      watch.sawBytes()
    }
    return collected.take()
  } finally {
    collected.drop()
  }
}

type TimeWatch = { sawBytes(): void; pauseFor(gate: Promise<void>): Promise<void>; stop(): void }

function watchTime(limits: HttpLimits, onTimeout: (reason: Transient) => void): TimeWatch {
  const expire = (what: string, ms: number) => onTimeout(new Transient('node_timeout', `${what} took more than ${ms} ms`, { ms }))
  let idle = setTimeout(() => expire('the answer', limits.headersTimeoutMs), limits.headersTimeoutMs)
  let left = limits.totalTimeoutMs
  let startedAt = performance.now()
  let total = setTimeout(() => expire('the exchange', limits.totalTimeoutMs), left)
  let isFirst = true
  return {
    sawBytes() {
      if (!isFirst) {
        idle.refresh()
        return
      }
      isFirst = false
      clearTimeout(idle)
      idle = setTimeout(() => expire('a piece of the answer', limits.idleTimeoutMs), limits.idleTimeoutMs)
    },
    async pauseFor(gate) {
      clearTimeout(idle)
      clearTimeout(total)
      left -= performance.now() - startedAt
      await gate
      startedAt = performance.now()
      idle = setTimeout(() => expire('a piece of the answer', limits.idleTimeoutMs), limits.idleTimeoutMs)
      total = setTimeout(() => expire('the exchange', limits.totalTimeoutMs), left)
    },
    stop() {
      clearTimeout(idle)
      clearTimeout(total)
    },
  }
}

function toTransient(error: NodeJS.ErrnoException): Transient {
  const isReset = error.code === 'ECONNRESET' || error.code === 'EPIPE' || error.message === 'aborted'
  if (isReset) return new Transient('node_reset', 'the node closed the connection', {}, error)
  if (error.code?.startsWith('Z_')) return new Transient('bad_encoding', 'the answer cannot be unpacked', {}, error)
  return new Transient('node_unreachable', `the node cannot be reached: ${error.code ?? error.message}`, {}, error)
}

/** Seconds or a date, of which nodes and balancers only send the first. */
function parseRetryAfter(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined
}
