import { type BackoffRange, computeBackoff } from '../../lib/backoff.ts'
import type { Random } from '../../lib/random.ts'
import type { NodeClient } from './client.ts'
import type { Failure } from './failure.ts'
import { NodeHead } from './node-head.ts'

export type PoolLimits = {
  backoff: BackoffRange
  quarantineMs: number
  /** Requests at once to one node, at most. */
  maxInFlight: number
  /** Calls in one batch, at most; nodes allow ten unless told otherwise. */
  maxBatchCalls: number
}

const MAX_RETRY_AFTER_MS = 600_000
/** A node that cannot be reached is asked this often where it stands, however long its pause is: the question costs next to nothing. */
const PROBE_MS = 1000
/** Results of an old block that a node did not have this many times in a row were never kept. */
const MISSING_TRIES = 6
const OUT_OF_REACH = new Set(['node_unreachable', 'node_reset', 'node_timeout'])
/** After this many failures in a row what the node claimed before does not count any more. */
const LOST_FAILURES = 3

/** One node: what we know of it, and how much we may ask of it now. */
export class PoolNode {
  readonly client: NodeClient
  readonly head = new NodeHead()
  readonly counts = new Map<string, number>()
  readonly #limits: PoolLimits
  readonly #random: Random
  #inFlight = 0
  #window = 2
  #batchHeights: number
  #maxBatchCalls: number
  #failures = 0
  #lastFailureAt = Number.NEGATIVE_INFINITY
  #closedUntil = 0
  #latencyMs = 50
  #isOutOfReach = false
  /** results that the node did not have when it was last asked */
  #missing = { height: 0, times: 0 }
  #quarantine: { until: number; reason: string } | undefined
  #pruned: { lowest: number; until: number } | undefined
  readonly #spoiled = new Map<number, { times: number; until: number }>()

  constructor(client: NodeClient, limits: PoolLimits, random: Random) {
    this.client = client
    this.#limits = limits
    this.#random = random
    this.#maxBatchCalls = limits.maxBatchCalls
    this.#batchHeights = Math.max(1, Math.floor(limits.maxBatchCalls / 2))
  }

  get label(): string {
    return this.client.label
  }

  get inFlight(): number {
    return this.#inFlight
  }

  get failures(): number {
    return this.#failures
  }

  /** Requests at once that the node has shown to bear. */
  get window(): number {
    return this.#failures > 0 ? 1 : Math.floor(this.#window)
  }

  /** Heights to ask for in one request; 0 when the node takes no batch, not even of one height. */
  get batchHeights(): number {
    return this.#maxBatchCalls < 2 ? 0 : this.#batchHeights
  }

  /** Lower is better: expected time for one more request. */
  get cost(): number {
    return this.#latencyMs * (this.#inFlight + 1)
  }

  quarantineReason(now: number): string | undefined {
    if (this.#quarantine && this.#quarantine.until <= now) this.#quarantine = undefined
    return this.#quarantine?.reason
  }

  /** Whether what it says of its head still counts: neither put aside nor out of reach for a while. */
  isUsable(now: number): boolean {
    return this.quarantineReason(now) === undefined && (this.#failures < LOST_FAILURES || this.#closedUntil <= now)
  }

  /** Lowest height that the node has, when it said so and `height` is below. */
  prunedAbove(height: number, now: number): number | undefined {
    return this.#pruned && this.#pruned.until > now && height < this.#pruned.lowest ? this.#pruned.lowest : undefined
  }

  /**
   * When the node may be asked for heights `from`..`to`, or where it stands (no heights): now (0), at a later time, or once a request
   * is over (infinity).
   */
  readyAt(from: number, to: number, now: number): number {
    const openAt =
      from > to && this.#isOutOfReach ? Math.min(this.#closedUntil, this.#lastFailureAt + PROBE_MS) : this.#closedUntil
    let at = Math.max(openAt, this.head.askableAt(to))
    if (this.#spoiled.size > 0) {
      for (const [height, { until }] of this.#spoiled) if (height >= from && height <= to) at = Math.max(at, until)
    }
    if (at > now) return at
    return this.#inFlight < this.window ? 0 : Number.POSITIVE_INFINITY
  }

  begin(): void {
    this.#inFlight++
  }

  end(): void {
    this.#inFlight--
  }

  /** Takes in a request that was answered, for heights `from`..`to`. */
  succeed({ from, to, startedAt }: { from: number; to: number; startedAt: number }, now: number): void {
    this.#count('ok')
    this.head.served(to)
    if (from <= this.#missing.height && this.#missing.height <= to) this.#missing = { height: 0, times: 0 }
    // An old request that still succeeds says nothing about a node that failed since.
    if (startedAt < this.#lastFailureAt) return
    this.#failures = 0
    if (this.#isOutOfReach) this.#closedUntil = 0
    this.#isOutOfReach = false
    this.#latencyMs += (now - startedAt - this.#latencyMs) * 0.2
    this.#window = Math.min(this.#limits.maxInFlight, this.#window + 1 / this.#window)
    this.#batchHeights = Math.min(Math.max(1, Math.floor(this.#maxBatchCalls / 2)), this.#batchHeights + 1)
  }

  /** At the tip a block is there some milliseconds before it is executed: results that are missing then are no fault. */
  interpret(failure: Failure): Failure {
    if (failure.kind !== 'results' || !this.head.isNewest(failure.height)) return failure
    return { kind: 'behind', code: failure.code, reason: failure.reason, head: failure.height - 1 }
  }

  /** Takes in a failed request for heights `from`..`to`. Whatever it is, the node is not asked the same again at once. */
  fail(failure: Failure, { from, to, startedAt }: { from: number; to: number; startedAt: number }, now: number): void {
    this.#count(failure.code)
    switch (failure.kind) {
      case 'behind':
        // A node that has the height and says it has not is confused, and would be asked again without end.
        if (failure.head >= to) return this.#pause(failure, startedAt, now)
        this.head.deny(failure.head, startedAt, now)
        return
      case 'results':
        if (this.#countMissing(failure.height) < MISSING_TRIES) return this.#pause(failure, startedAt, now)
        this.#pruned = { lowest: failure.height + 1, until: now + this.#limits.quarantineMs }
        return
      case 'pruned':
        if (failure.lowest <= from) return this.#pause(failure, startedAt, now)
        this.#pruned = { lowest: failure.lowest, until: now + this.#limits.quarantineMs }
        return
      case 'batch':
        if (this.#maxBatchCalls === 1) return this.#pause(failure, startedAt, now)
        this.#maxBatchCalls = Math.max(
          1,
          Math.min(failure.maxCalls ?? Number.POSITIVE_INFINITY, Math.floor(this.#maxBatchCalls / 2)),
        )
        this.#batchHeights = Math.max(1, Math.floor(this.#maxBatchCalls / 2))
        return
      case 'useless':
        this.#quarantine = { until: now + this.#limits.quarantineMs, reason: failure.reason }
        return
      case 'busy':
        return this.#pause(failure, startedAt, now)
    }
  }

  /** The answer for `height` was spoiled: others are asked first, and this node only after a growing pause. */
  spoil(height: number, code: string, now: number): void {
    this.#count(code)
    const times = (this.#spoiled.get(height)?.times ?? 0) + 1
    this.#spoiled.set(height, { times, until: now + computeBackoff(times, this.#random, this.#limits.backoff) })
    for (const [old, { until }] of this.#spoiled) if (until < now - this.#limits.quarantineMs) this.#spoiled.delete(old)
  }

  #pause(failure: Failure, startedAt: number, now: number): void {
    this.#isOutOfReach = OUT_OF_REACH.has(failure.code)
    // Requests that were under way together fail together; that is one failure of the node.
    if (startedAt > this.#lastFailureAt) {
      this.#failures++
      this.#lastFailureAt = now
      this.#window = Math.max(1, this.#window / 2)
      this.#batchHeights = Math.max(1, Math.floor(this.#batchHeights / 2))
    }
    const asked = Math.min(failure.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)
    this.#closedUntil = Math.max(
      this.#closedUntil,
      now + Math.max(asked, computeBackoff(this.#failures, this.#random, this.#limits.backoff)),
    )
  }

  #countMissing(height: number): number {
    const times = this.#missing.height === height ? this.#missing.times + 1 : 1
    this.#missing = { height, times }
    return times
  }

  #count(code: string): void {
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1)
  }
}
