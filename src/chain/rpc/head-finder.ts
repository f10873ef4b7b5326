import type { Clock } from '../../lib/clock.ts'
import { NodeFault } from '../../lib/errors.ts'
import type { Waker } from '../../lib/waker.ts'
import type { SourceHead } from '../source.ts'
import { fetchHead } from './client.ts'
import type { AnnouncedHeader } from './hints.ts'
import type { PoolNode } from './node.ts'
import { type Lease, NO_HEIGHT, type NodePool } from './pool.ts'

/** Once one node told its head, those that told theirs before get this long to tell a higher one; their last one counts anyway. */
const HEAD_GRACE_MS = 300
/** Grace for nodes that never answered: a fast node that is stuck must not decide alone where the chain ends. */
const FIRST_GRACE_MS = 2000

export type HeadFinderParts = {
  pool: NodePool
  /** wakes whoever waits for a new height */
  waker: Waker
  clock: Clock
  /** nodes of any other chain are put aside; without it the first node that answers decides */
  chainId: string | undefined
  closed: AbortSignal
}

/** Asks all nodes where they stand and keeps what each said last: a slow answer counts when it comes, whoever asked for it. */
export class HeadFinder {
  readonly #parts: HeadFinderParts
  readonly #asking = new Map<PoolNode, Promise<boolean>>()
  #chainId: string | undefined
  #waiting = 0
  #heardAt = Number.NEGATIVE_INFINITY
  /** a height was heard that no caller knows yet */
  #isNew = false

  constructor(parts: HeadFinderParts) {
    this.#parts = parts
    this.#chainId = parts.chainId
  }

  /** The highest head that a usable node claims and can serve, after at least one node has answered. */
  async find(signal: AbortSignal): Promise<SourceHead> {
    const { pool } = this.#parts
    const known = pool.head()
    if (known && this.#isNew) {
      this.#isNew = false
      return known
    }
    this.#waiting++
    try {
      for (;;) {
        for (const lease of pool.acquireEach()) this.#ask(lease)
        if (this.#asking.size === 0) this.#ask(await pool.acquire({ ...NO_HEIGHT, order: -1 }, signal))
        const isAnswered = await this.#untilTold(known?.height, signal)
        const head = pool.head()
        if (isAnswered && head) return head
      }
    } finally {
      this.#waiting--
    }
  }

  /** A node announced a block over its WebSocket. */
  hear(node: PoolNode, { height, time, chainId }: AnnouncedHeader): void {
    if (this.#chainId !== undefined && chainId !== this.#chainId) return
    this.#heardAt = this.#parts.clock.now()
    node.head.announce(height, time, this.#heardAt)
    this.#isNew ||= node.head.claimed === height
    this.#parts.waker.wake(height)
  }

  /** Whether a node announced a block within the last `ms`. */
  hasHeard(ms: number): boolean {
    return this.#parts.clock.now() - this.#heardAt < ms
  }

  #ask(lease: Lease): void {
    const { node } = lease
    const asked = this.#askNode(lease).finally(() => this.#asking.delete(node))
    this.#asking.set(node, asked)
    // Callers get the error if they still wait.
    asked.catch(() => {})
  }

  /** False when the node failed, which the lease has taken in. */
  async #askNode(lease: Lease): Promise<boolean> {
    const { pool, waker, clock, closed } = this.#parts
    const askedAt = clock.now()
    try {
      const head = await fetchHead(lease.node.client, { signal: closed })
      this.#chainId ??= head.chainId
      if (head.chainId !== this.#chainId) {
        const facts = { givenChainId: head.chainId }
        throw new NodeFault('wrong_chain', `the node is of chain ${head.chainId}, not ${this.#chainId}`, facts)
      }
      const before = pool.head()?.height
      lease.node.head.claim(head, askedAt, clock.now())
      lease.succeed()
      const { height } = pool.head()!
      if (before !== undefined && height > before) {
        this.#isNew = this.#waiting === 0
        waker.wake(height)
      }
      return true
    } catch (error) {
      lease.fail(error)
      return false
    }
  }

  /**
   * Until all nodes have answered, one told a height above `known`, or those that did not answer had their time. Whether any node
   * answered.
   */
  #untilTold(known: number | undefined, signal: AbortSignal): Promise<boolean> {
    const { pool, clock } = this.#parts
    const asked = [...this.#asking]
    const isFirst = asked.some(([node]) => node.head.claimed === undefined && node.failures === 0)
    const over = new AbortController()
    let open = asked.length
    let isAnswered = false
    return new Promise<boolean>((resolve, reject) => {
      const abort = () => reject(signal.reason)
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true, signal: over.signal })
      for (const [, answer] of asked) {
        answer.then((isTold) => {
          open--
          isAnswered ||= isTold
          const isHigher = known !== undefined && isTold && (pool.head()?.height ?? 0) > known
          if (open === 0 || isHigher) resolve(isAnswered)
          else if (isTold)
            clock.sleep(isFirst ? FIRST_GRACE_MS : HEAD_GRACE_MS, over.signal).then(
              () => resolve(true),
              () => {},
            )
        }, reject)
      }
    }).finally(() => over.abort())
  }
}
