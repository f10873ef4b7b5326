import { type TokenBucket, tokensAt } from '../lib/token-bucket.ts'
import type { Plan } from './plans.ts'

export type LimitPolicy = 'burst' | 'daily'

export type Decision = {
  allowed: boolean
  /** what refused, or would be the first to */
  policy: LimitPolicy
  /** points left, as far as this server knows */
  remaining: number
  remainingToday: number | undefined
  /** seconds until the refused request has a chance, or until the bucket is full again */
  seconds: number
}

const DAY_MS = 86_400_000
/**
 * Shares of a bucket and of a day's quota that may be used before the shared counters have answered. A server that is alone may give
 * the whole bucket: nobody else does.
 */
const CREDIT = 0.5
const DAILY_CREDIT = 0.01
/** Share of the points known to be left that one of several servers may use before it has settled: four servers find enough. */
const SHARE = 0.25

/** One account as this server sees it. */
export class LimitedAccount {
  plan: Plan
  usedAt: number
  /** no other server gives from the same bucket */
  isAlone = false
  /** taken from the shared bucket and not spent yet */
  tokens = 0
  /** spent without having been taken; settled with the next ask */
  debt = 0
  /** debt of the ask that is under way */
  settling = 0
  /** points that requests asked for since the last ask */
  demand = 0
  /** points of the requests that wait for the shared counters, and how to wake them */
  awaited = 0
  readonly waiters: (() => void)[] = []
  /** somebody looks after points that are left over */
  isWatched = false
  /** what the shared counters said last */
  #shared: (TokenBucket & { used: number }) | undefined
  /** bucket of this server alone, while the shared counters are away */
  #own: TokenBucket | undefined

  constructor(plan: Plan, now: number) {
    this.plan = plan
    this.usedAt = now
  }

  /** Points taken in advance first; then a little on credit, where the bucket is known or likely to hold it. */
  spend(cost: number, now: number, freshMs: number): boolean {
    if (this.tokens >= cost) {
      this.tokens -= cost
      return true
    }
    if (this.debt + this.settling + cost > this.#creditLimit(cost, now, freshMs) || this.leftToday(now) < cost) return false
    this.debt += cost
    return true
  }

  get #credit(): number {
    const { burst, quota = Number.POSITIVE_INFINITY } = this.plan
    return Math.min(this.isAlone ? burst : burst * CREDIT, quota * DAILY_CREDIT)
  }

  #creditLimit(cost: number, now: number, freshMs: number): number {
    const credit = Math.max(cost, this.#credit)
    if (!this.#shared) return credit
    const isFresh = now - this.#shared.at < freshMs
    return Math.min(credit, isFresh ? this.#shared.tokens * (this.isAlone ? 1 : SHARE) : this.estimate(now))
  }

  /** While the shared counters are away: the plan by this server's own count, settled when they are back. */
  spendOwn(cost: number, now: number): boolean {
    this.#own ??= { tokens: Math.max(0, this.inBucket(now)), at: now }
    this.#own = { tokens: tokensAt(this.#own, this.plan, now), at: now }
    if (this.#own.tokens < cost || this.leftToday(now) < cost) return false
    this.#own.tokens -= cost
    this.debt += cost
    return true
  }

  hear(tokens: number, used: number, now: number): void {
    this.#shared = { tokens, used, at: now }
  }

  /** The shared counters are back. */
  forgetOwn(): void {
    this.#own = undefined
  }

  /** Whether the bucket has so much left that credit alone will do. */
  get isPlentiful(): boolean {
    return this.#shared !== undefined && this.#shared.tokens >= this.plan.burst / 2 && this.demand <= this.#credit
  }

  /** Points in the shared bucket by now, if no other server took any. */
  estimate(now: number): number {
    return this.#shared ? tokensAt(this.#shared, this.plan, now) : this.plan.burst
  }

  /** Whether the shared counters probably have points for one more request that waits for them. */
  mayHold(cost: number, now: number): boolean {
    return Math.min(this.inBucket(now), this.leftToday(now)) >= this.awaited + cost
  }

  inBucket(now: number): number {
    return this.#own ? this.#own.tokens : Math.min(this.plan.burst, this.estimate(now) + this.tokens - this.debt - this.settling)
  }

  leftToday(now: number): number {
    const { quota } = this.plan
    if (quota === undefined) return Number.POSITIVE_INFINITY
    const isToday = this.#shared !== undefined && Math.floor(this.#shared.at / DAY_MS) === Math.floor(now / DAY_MS)
    // Points held by this process are counted as used in the database.
    return quota - (isToday ? this.#shared!.used - this.tokens : 0) - this.debt - this.settling
  }

  describe(allowed: boolean, cost: number, now: number): Decision {
    const { rate, burst, quota } = this.plan
    const today = this.leftToday(now)
    const inBucket = Math.max(0, this.inBucket(now))
    const remainingToday = quota === undefined ? undefined : Math.max(0, Math.floor(today))
    if (!allowed && today < cost)
      return { allowed, policy: 'daily', remaining: 0, remainingToday, seconds: Math.ceil((DAY_MS - (now % DAY_MS)) / 1000) }
    const missing = allowed ? burst - inBucket : Math.max(1, cost - inBucket)
    return {
      allowed,
      policy: today < inBucket ? 'daily' : 'burst',
      remaining: allowed ? Math.floor(Math.min(inBucket, today)) : 0,
      remainingToday,
      seconds: Math.max(1, Math.ceil(missing / rate)),
    }
  }
}
