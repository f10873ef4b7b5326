import type { Clock } from '../../lib/clock.ts'
import { type NodeFault, OperatorError } from '../../lib/errors.ts'
import type { Random } from '../../lib/random.ts'
import type { SourceHead } from '../source.ts'
import { compareNodes, explainPruned, type Need, type NodeMethod, preferHolders } from './choose-node.ts'
import type { NodeClient } from './client.ts'
import { type Failure, isLie, toFailure } from './failure.ts'
import { type PoolLimits, PoolNode } from './node.ts'

export type LogEvent = (event: string, fields: Record<string, unknown>) => void

/** One request and what became of it. A fault that was found after the answer was handed out has no duration. */
export type NodeRequest = { node: string; method: NodeMethod; outcome: string; seconds?: number }

export type PoolParts = {
  clients: readonly NodeClient[]
  limits: PoolLimits
  clock: Clock
  random: Random
  log: LogEvent
  onRequest?: (request: NodeRequest) => void
}

/** A question that is not about a height. */
export const NO_HEIGHT = { from: Number.MAX_SAFE_INTEGER, to: 0, method: 'status' as NodeMethod }

/** The right to send one request to one node. Exactly one of `succeed` and `fail` ends it. */
export type Lease = {
  readonly node: PoolNode
  /** While the answer is held back its place is free: else the answers held back could take all places from the one they wait for. */
  holdBack(until: Promise<void>): Promise<void>
  succeed(): void
  /** Takes in what the error says about the node. Rethrows errors that say nothing about it, such as an abort. */
  fail(error: unknown): Failure
}

export type NodeState = { label: string; quarantined: string | undefined; failures: number; counts: Record<string, number> }

/** Given as the reason of an abort, because making one up takes a stack trace each time. */
const WOKEN_EARLIER = new Error('woken earlier')

/** A node that claims a head it does not serve this often in a row is put aside, as long as others have its blocks. */
const MAX_FALSE_CLAIMS = 3

/** Failures in a row that are logged one by one; after them the same failure is logged this often. */
const TOLD_FAILURES = 3
const TOLD_MS = 60_000

type Waiter = { need: Need; resolve: (lease: Lease) => void; reject: (error: unknown) => void }

/** Several nodes of one network: who is asked next, who has to rest, who is put aside. */
export class NodePool {
  readonly nodes: readonly PoolNode[]
  readonly #parts: PoolParts
  #waiters: Waiter[] = []
  #alarm = { at: Number.POSITIVE_INFINITY, cancel: new AbortController() }
  readonly #asked = new Set<PoolNode>()
  /** highest height that any node has served */
  #proven = 0
  readonly #told = new Map<PoolNode, { code: string; at: number }>()
  readonly #toldClaims = new Map<PoolNode, number>()

  constructor(parts: PoolParts) {
    this.#parts = parts
    this.nodes = parts.clients.map((client) => new PoolNode(client, parts.limits, parts.random))
  }

  /** Waits for a node that may be asked. Throws an OperatorError when none is left that could ever be. */
  acquire(need: Need, signal: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const waiter: Waiter = { need, resolve, reject }
      const abort = () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter)
        reject(signal.reason)
      }
      const settle = () => signal.removeEventListener('abort', abort)
      waiter.resolve = (lease) => {
        settle()
        resolve(lease)
      }
      waiter.reject = (error) => {
        settle()
        reject(error)
      }
      signal.addEventListener('abort', abort, { once: true })
      this.#waiters.push(waiter)
      this.#waiters.sort((a, b) => a.need.order - b.need.order)
      this.#dispatch()
    })
  }

  /** Leases on all nodes that are not resting and not being asked this way already: for questions about the nodes themselves. */
  acquireEach(): Lease[] {
    const now = this.#parts.clock.now()
    return this.nodes
      .filter((node) => node.quarantineReason(now) === undefined)
      .filter((node) => {
        const readyAt = node.readyAt(NO_HEIGHT.from, NO_HEIGHT.to, now)
        return readyAt <= now || (readyAt === Number.POSITIVE_INFINITY && node.failures === 0)
      })
      .filter((node) => !this.#asked.has(node))
      .map((node) => {
        this.#asked.add(node)
        return this.#lease(node, NO_HEIGHT, () => this.#asked.delete(node))
      })
  }

  /** A block that `label` gave for `height` failed a check after it was handed out. */
  report(label: string, fault: NodeFault): void {
    const node = this.nodes.find((other) => other.label === label)
    if (!node) return
    const now = this.#parts.clock.now()
    const { height } = fault.facts
    this.#parts.log('node fault', { node: label, code: fault.code, reason: fault.message, height })
    this.#parts.onRequest?.({ node: label, method: 'block', outcome: fault.code })
    if (isLie(fault))
      node.fail({ kind: 'useless', code: fault.code, reason: fault.message }, { ...NO_HEIGHT, startedAt: now }, now)
    else if (typeof height === 'number') node.spoil(height, fault.code, now)
    else node.fail({ kind: 'busy', code: fault.code, reason: fault.message }, { ...NO_HEIGHT, startedAt: now }, now)
    this.#dispatch()
  }

  isQuarantined(label: string): boolean {
    const now = this.#parts.clock.now()
    return this.nodes.some((node) => node.label === label && node.quarantineReason(now) !== undefined)
  }

  /** The highest head that a usable node claims and has not denied; undefined before one has answered. */
  head(): SourceHead | undefined {
    const now = this.#parts.clock.now()
    const usable = this.nodes.filter((node) => node.isUsable(now))
    let best: SourceHead | undefined
    for (const node of usable.length > 0 ? usable : this.nodes) {
      const head = node.head.believed(now, this.#proven)
      if (head && (!best || head.height > best.height)) best = head
    }
    return best
  }

  /** When a node that claims more than `height` and denied it may be asked again: in the past if that has been possible for a while. */
  retryAt(height: number): number {
    const now = this.#parts.clock.now()
    const times = this.nodes
      .filter((node) => node.isUsable(now) && (node.head.claimed ?? 0) > height)
      .map((node) => node.head.askableAt(height + 1))
    return Math.min(Number.POSITIVE_INFINITY, ...times.filter((at) => at > 0))
  }

  states(): NodeState[] {
    const now = this.#parts.clock.now()
    return this.nodes.map((node) => ({
      label: node.label,
      quarantined: node.quarantineReason(now),
      failures: node.failures,
      counts: Object.fromEntries(node.counts),
    }))
  }

  close(): void {
    this.#setAlarm(Number.POSITIVE_INFINITY)
  }

  /** Gives nodes to waiters in order; those that have to wait for a time set the alarm. */
  #dispatch(): void {
    let alarmAt = Number.POSITIVE_INFINITY
    this.#waiters = this.#waiters.filter((waiter) => {
      const choice = this.#choose(waiter.need)
      if (choice instanceof OperatorError) waiter.reject(choice)
      else if (typeof choice === 'number') {
        alarmAt = Math.min(alarmAt, choice)
        return true
      } else waiter.resolve(this.#lease(choice, waiter.need))
      return false
    })
    this.#setAlarm(alarmAt)
  }

  #setAlarm(at: number): void {
    if (at === this.#alarm.at) return
    this.#alarm.cancel.abort(WOKEN_EARLIER)
    const cancel = new AbortController()
    this.#alarm = { at, cancel }
    if (at === Number.POSITIVE_INFINITY) return
    const { clock } = this.#parts
    clock.sleep(Math.max(1, at - clock.now()), cancel.signal).then(
      () => {
        this.#alarm = { at: Number.POSITIVE_INFINITY, cancel }
        this.#dispatch()
      },
      // Set again for another time.
      () => {},
    )
  }

  /** The best node for `need`, or the time to look again, or the reason why there is none. */
  #choose(need: Need): PoolNode | number | OperatorError {
    const now = this.#parts.clock.now()
    const trusted = this.nodes.filter((node) => node.quarantineReason(now) === undefined)
    if (trusted.length === 0) return this.#explainNoNode(now)
    const able = trusted.filter((node) => node.prunedAbove(need.from, now) === undefined)
    if (able.length === 0) return explainPruned(need.from, trusted, now)
    let best: PoolNode | undefined
    let nextAt = Number.POSITIVE_INFINITY
    for (const node of preferHolders(able, need, now, this.#proven)) {
      const readyAt = node.readyAt(need.from, need.to, now)
      if (readyAt > now) nextAt = Math.min(nextAt, readyAt)
      else if (!best || compareNodes(node, best, need.avoid) < 0) best = node
    }
    return best ?? nextAt
  }

  #lease(node: PoolNode, { from, to, method = 'block' }: Omit<Need, 'order'>, onEnd?: () => void): Lease {
    const { clock, log, onRequest } = this.#parts
    const startedAt = clock.now()
    let heldMs = 0
    const end = (outcome: string) =>
      onRequest?.({ node: node.label, method, outcome, seconds: Math.max(0, clock.now() - startedAt - heldMs) / 1000 })
    node.begin()
    return {
      node,
      holdBack: async (until) => {
        node.end()
        this.#dispatch()
        const heldAt = clock.now()
        await until
        heldMs += clock.now() - heldAt
        node.begin()
      },
      succeed: () => {
        onEnd?.()
        node.end()
        node.succeed({ from, to, startedAt }, clock.now())
        if (from <= to) this.#proven = Math.max(this.#proven, to)
        end('ok')
        this.#dispatch()
      },
      fail: (error) => {
        onEnd?.()
        node.end()
        const understood = toFailure(error)
        const failure = understood && node.interpret(understood)
        if (failure) {
          const { falseClaims } = node.head
          node.fail(failure, { from, to, startedAt }, clock.now())
          end(failure.code)
          if (this.#isNews(node, failure.code))
            log('node failed', { node: node.label, code: failure.code, reason: failure.reason, kind: failure.kind })
          if (node.head.falseClaims > falseClaims) this.#blameClaim(node, failure)
        }
        this.#dispatch()
        if (!failure) throw error
        return failure
      },
    }
  }

  /** A node that fails for the same reason again and again is named once in a while, not with every probe. */
  #isNews(node: PoolNode, code: string): boolean {
    const now = this.#parts.clock.now()
    const last = this.#told.get(node)
    if (node.failures > TOLD_FAILURES && last?.code === code && now - last.at < TOLD_MS) return false
    this.#told.set(node, { code, at: now })
    return true
  }

  /** A head that nobody can serve is a fault of the node that claimed it. */
  #blameClaim(node: PoolNode, failure: Failure): void {
    const now = this.#parts.clock.now()
    const claimed = node.head.claimed
    const reason = `it claims height ${claimed}, but ${failure.reason}`
    const toldAt = this.#toldClaims.get(node) ?? Number.NEGATIVE_INFINITY
    if (now - toldAt >= TOLD_MS) {
      this.#toldClaims.set(node, now)
      this.#parts.log('node fault', { node: node.label, code: 'head_not_served', claimed, reason })
    }
    this.#parts.onRequest?.({ node: node.label, method: 'status', outcome: 'head_not_served' })
    // Blocks that it does have may be nowhere else.
    const has = failure.kind === 'behind' ? failure.head : 0
    const canReplace = (other: PoolNode) =>
      other !== node && other.failures === 0 && other.isUsable(now) && (other.head.believed(now, 0)?.height ?? 0) >= has
    const isNeeded = !this.nodes.some(canReplace)
    if (node.head.falseClaims >= MAX_FALSE_CLAIMS && !isNeeded)
      node.fail({ kind: 'useless', code: 'head_not_served', reason }, { ...NO_HEIGHT, startedAt: now }, now)
  }

  #explainNoNode(now: number): OperatorError {
    const reasons = this.nodes.map((node) => `${node.label}: ${node.quarantineReason(now)}`)
    return new OperatorError('no_node_left', `no node can be used any more (${reasons.join('; ')})`, { reasons })
  }
}
