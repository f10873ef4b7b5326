import { setMaxListeners } from 'node:events'
import { ByteGate } from '../../lib/byte-gate.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/errors.ts'
import { linkSignals, withLinkedSignal } from '../../lib/linked-signal.ts'
import type { Random } from '../../lib/random.ts'
import { Waker } from '../../lib/waker.ts'
import type { BlockReader, ChainSource } from '../source.ts'
import { createBlockReader } from './block-reader.ts'
import { fetchGenesis, type NodeClient } from './client.ts'
import { fetchRange } from './fetch-range.ts'
import { HeadFinder } from './head-finder.ts'
import { listenForHeaders } from './hints.ts'
import { type LogEvent, NO_HEIGHT, NodePool, type NodeRequest, type NodeState } from './pool.ts'
import { createHttpTransport, type HttpTransport } from './transport.ts'
import { createWitness } from './witness.ts'

export type RpcOptions = {
  urls: readonly string[]
  /** Nodes of any other chain are put aside; without it the first node that answers decides. */
  chainId?: string
  /** Requests at once to one node, at most. */
  maxInFlight?: number
  maxBatchCalls?: number
  /** Bytes of answers held or under way together; one answer may go beyond. */
  maxBytesAhead?: number
  /** Between two questions for the head; by default more often while no node announces its blocks. */
  pollMs?: number
  timeoutMs?: number
  /** Whether to listen to the nodes' WebSockets; heads are polled in any case. */
  listen?: boolean
  log?: LogEvent
  onRequest?: (request: NodeRequest) => void
  clock?: Clock
  random?: Random
  transport?: HttpTransport
}

export type RpcSource = ChainSource & BlockReader & { nodes(): NodeState[] }

/** Some dozen full requests. More only waits in memory: the index is written more slowly than a node near by answers. */
const BYTES_AHEAD = 24 * 1024 * 1024

/** How often nodes are asked for their heads: rarely while one of them announced a block lately, otherwise often. */
const CALM_POLL_MS = 1000
const POLL_MS = 200
const HEARD_MS = 30_000
/** Announcements may come in bursts; heads are not asked for more often than this on their account. */
const MIN_HINT_MS = 100
/** The pause before a node is asked again for a height that it denied some time ago. */
const LATE_RETRY_MS = 50

export function createRpcSource(options: RpcOptions): RpcSource {
  const clock = options.clock ?? systemClock
  const random = options.random ?? Math.random
  const timeoutMs = options.timeoutMs ?? 10_000
  const transport =
    options.transport ??
    createHttpTransport({ headersTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs, totalTimeoutMs: timeoutMs * 6 })
  const clients = toClients(options.urls, transport)
  const pool = new NodePool({
    clients,
    limits: {
      backoff: { minMs: 200, maxMs: 30_000 },
      quarantineMs: 600_000,
      maxInFlight: options.maxInFlight ?? 8,
      maxBatchCalls: options.maxBatchCalls ?? 10,
    },
    clock,
    random,
    log: options.log ?? (() => {}),
    ...(options.onRequest && { onRequest: options.onRequest }),
  })
  const closing = new AbortController()
  // Every request under way listens to it.
  setMaxListeners(0, closing.signal)
  const waker = new Waker()
  const heads = new HeadFinder({ pool, waker, clock, chainId: options.chainId, closed: closing.signal })
  let isListening = options.listen === false
  let wokenAt = Number.NEGATIVE_INFINITY

  const untilClosed = <T>(signal: AbortSignal, work: (either: AbortSignal) => Promise<T>) =>
    withLinkedSignal([signal, closing.signal], work)

  function listen(): void {
    if (isListening) return
    isListening = true
    for (const node of pool.nodes)
      void listenForHeaders(node.client.url, (header) => heads.hear(node, header), clock, random, closing.signal)
  }

  return {
    name: `nodes ${clients.map((client) => client.label).join(', ')}`,
    head: (signal) => untilClosed(signal, (either) => heads.find(either)),
    blocks: createBlockReader(pool, options.maxBytesAhead ?? BYTES_AHEAD, closing.signal),
    nodes: () => pool.states(),

    genesis: (signal) =>
      untilClosed(signal, async (either) => {
        // Also makes sure that nodes of another chain are not asked.
        await heads.find(either)
        for (;;) {
          const lease = await pool.acquire({ ...NO_HEIGHT, method: 'genesis', order: -1 }, either)
          try {
            const genesis = await fetchGenesis(lease.node.client, { signal: either })
            lease.succeed()
            return genesis
          } catch (error) {
            lease.fail(error)
          }
        }
      }),

    readBlock: (height, signal) =>
      untilClosed(signal, async (either) => {
        if (height > (pool.head()?.height ?? 0) && height > (await heads.find(either)).height) return undefined
        const gate = new ByteGate(0)
        gate.enter(height)
        try {
          const [raw] = await fetchRange(pool, { from: height, to: height }, gate, either)
          return raw
        } catch (error) {
          if (error instanceof OperatorError && error.code === 'height_pruned') return undefined
          throw error
        }
      }),

    reportFault: (origin, fault) => pool.report(origin, fault),

    witnesses: () =>
      clients.filter(({ label }) => !pool.isQuarantined(label)).map((client) => createWitness(client, closing.signal)),

    async waitForHead(height, signal) {
      listen()
      const woken = new AbortController()
      const linked = linkSignals([signal, closing.signal, woken.signal])
      const rung = waker.wait({ above: height, signal: linked.signal }).then(() => {
        // Seen from the ring and not from the call: one that comes long after the last one must not wait.
        const rest = wokenAt + MIN_HINT_MS - clock.now()
        return rest > 0 ? clock.sleep(rest, linked.signal) : undefined
      })
      const retryMs = pool.retryAt(height) - clock.now()
      const pollMs = options.pollMs ?? (heads.hasHeard(HEARD_MS) ? CALM_POLL_MS : POLL_MS)
      const poll = clock.sleep(Math.min(pollMs, retryMs > 0 ? retryMs : LATE_RETRY_MS), linked.signal)
      // Both end with the signal, and that is a proper end here.
      await Promise.race([poll, rung]).catch(() => {})
      woken.abort()
      await Promise.allSettled([poll, rung])
      linked.release()
      wokenAt = clock.now()
    },

    async close() {
      closing.abort(new OperatorError('source_closed', 'the source was closed'))
      pool.close()
      if (!options.transport) transport.close()
    },
  }
}

function toClients(urls: readonly string[], transport: HttpTransport): NodeClient[] {
  if (urls.length === 0) throw new OperatorError('no_node', 'no node is configured')
  const parsed = urls.map(parseUrl)
  return parsed.map((url, i) => {
    // Only the host: paths and credentials of public nodes are often secrets.
    const isShared = parsed.filter((other) => other.host === url.host).length > 1
    return { label: isShared ? `${url.host}#${i + 1}` : url.host, url, send: transport.send }
  })
}

function parseUrl(text: string, position: number): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new OperatorError('bad_node_url', `the address of node ${position + 1} is not an http or https URL`, { position })
}
