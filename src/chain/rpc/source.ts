import { setMaxListeners } from 'node:events'
import { ByteGate } from '../../lib/byte-gate.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { NodeFault, OperatorError } from '../../lib/errors.ts'
import { linkSignals, withLinkedSignal } from '../../lib/linked-signal.ts'
import type { Random } from '../../lib/random.ts'
import type { BlockReader, ChainSource, SourceHead } from '../source.ts'
import { createBlockReader } from './block-reader.ts'
import { fetchGenesis, fetchHead, type NodeClient } from './client.ts'
import { fetchRange } from './fetch-range.ts'
import { type HeadHints, listenForHeads } from './hints.ts'
import { type Lease, type LogEvent, NO_HEIGHT, NodePool, type NodeRequest, type NodeState } from './pool.ts'
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

/** Once one node told its head, the others get this long to tell a higher one. */
const HEAD_GRACE_MS = 300
/** Hints may come in bursts; heads are not asked for more often than this on their account. */
const MIN_HINT_MS = 100

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
  // Every request under way listens to it; that is no leak.
  setMaxListeners(0, closing.signal)
  let hints: HeadHints | undefined
  let chainId = options.chainId
  let highest = 0
  let wokenAt = Number.NEGATIVE_INFINITY

  /** Asks one node where it stands; undefined when it failed, which the lease has taken in. */
  async function askHead(lease: Lease, signal: AbortSignal): Promise<SourceHead | undefined> {
    try {
      const head = await fetchHead(lease.node.client, { signal })
      chainId ??= head.chainId
      if (head.chainId !== chainId) {
        throw new NodeFault('wrong_chain', `the node is of chain ${head.chainId}, not ${chainId}`, { givenChainId: head.chainId })
      }
      lease.succeed()
      highest = Math.max(highest, head.height)
      return head
    } catch (error) {
      lease.fail(error)
      return undefined
    }
  }

  const untilClosed = <T>(signal: AbortSignal, work: (either: AbortSignal) => Promise<T>) =>
    withLinkedSignal([signal, closing.signal], work)

  async function findHead(signal: AbortSignal): Promise<SourceHead> {
    for (;;) {
      let leases = pool.acquireEach()
      if (leases.length === 0) leases = [await pool.acquire({ ...NO_HEIGHT, order: -1 }, signal)]
      const best = await pickHighest(
        leases.map((lease) => askHead(lease, signal)),
        clock,
      )
      signal.throwIfAborted()
      if (best) return best
    }
  }

  return {
    name: `nodes ${clients.map((client) => client.label).join(', ')}`,
    head: (signal) => untilClosed(signal, findHead),
    blocks: createBlockReader(pool, options.maxBytesAhead ?? 64 * 1024 * 1024, closing.signal),
    nodes: () => pool.states(),

    genesis: (signal) =>
      untilClosed(signal, async (either) => {
        // Also makes sure that nodes of another chain are not asked.
        await findHead(either)
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
        if (height > highest && height > (await findHead(either)).height) return undefined
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
      if (options.listen !== false)
        hints ??= listenForHeads(
          clients.map((client) => client.url),
          clock,
          random,
        )
      const woken = new AbortController()
      const linked = linkSignals([signal, closing.signal, woken.signal])
      const hint = hints?.next(height, linked.signal).then(() => {
        // Seen from the hint and not from the call: a hint that comes long after the last one must not wait.
        const rest = wokenAt + MIN_HINT_MS - clock.now()
        return rest > 0 ? clock.sleep(rest, linked.signal) : undefined
      })
      const poll = clock.sleep(options.pollMs ?? 1000, linked.signal)
      // Both end with the signal, and that is a proper end here.
      await Promise.race([poll, ...(hint ? [hint] : [])]).catch(() => {})
      woken.abort()
      await Promise.allSettled([poll, hint])
      linked.release()
      wokenAt = clock.now()
    },

    async close() {
      closing.abort(new OperatorError('source_closed', 'the source was closed'))
      hints?.close()
      pool.close()
      if (!options.transport) transport.close()
    },
  }
}

/** The highest head once all have answered, or a while after the first one has. */
async function pickHighest(asked: Promise<SourceHead | undefined>[], clock: Clock): Promise<SourceHead | undefined> {
  let best: SourceHead | undefined
  let open = asked.length
  const grace = new AbortController()
  await new Promise<void>((resolve, reject) => {
    for (const answer of asked) {
      answer.then((head) => {
        open--
        if (head && (!best || head.height > best.height)) best = head
        if (open === 0) resolve()
        else if (head) clock.sleep(HEAD_GRACE_MS, grace.signal).then(resolve, () => {})
      }, reject)
    }
  })
  grace.abort()
  return best
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
