import { BoundedCache } from '../../lib/bounded-cache.ts'
import { type Refill, type TokenBucket, tokensAt } from '../../lib/token-bucket.ts'
import type { PayLimits } from '../settings.ts'

/** Beyond that the ones used longest ago are forgotten: memory stays bounded under any number of addresses. */
const MAX_CLIENTS = 50_000

/** A bucket per client that fills with time and is emptied by use. */
class Buckets {
  readonly refill: Refill
  readonly #clients = new BoundedCache<string, TokenBucket>(MAX_CLIENTS)

  constructor(rate: number, burst: number) {
    this.refill = { rate, burst }
  }

  /** Seconds in which so many tokens come. */
  secondsFor(tokens: number): number {
    return Math.ceil(tokens / this.refill.rate)
  }

  /** Milliseconds until `client` may go on; 0: now. */
  wait(client: string, now: number): number {
    return Math.ceil((Math.max(0, 1 - this.left(client, now)) / this.refill.rate) * 1000)
  }

  take(client: string, now: number): void {
    this.#clients.set(client, { tokens: this.left(client, now) - 1, at: now })
  }

  left(client: string, now: number): number {
    const bucket = this.#clients.get(client)
    return bucket ? tokensAt(bucket, this.refill, now) : this.refill.burst
  }
}

/**
 * `challenges`: offers to requests without payment, by address. `failures`: payments that cannot be taken, by payer when it is proven,
 * else by address. `unsold`: good payments for which there was nothing to sell, by payer; they cost a look-up and stay good.
 */
export type Policy = 'challenges' | 'failures' | 'unsold'

/**
 * How often a client may ask for what brings no money. Kept per process: replicas together allow a multiple of it, which is still a
 * bound. What is sold has no limit.
 */
export class ClientLimits {
  readonly #policies: Record<Policy, Buckets>
  readonly #described: string

  constructor(limits: PayLimits) {
    this.#policies = {
      challenges: new Buckets(limits.challengesPerS, limits.challengeBurst),
      failures: new Buckets(limits.failuresPerMinute / 60, limits.failureBurst),
      unsold: new Buckets(limits.unsoldPerMinute / 60, limits.unsoldBurst),
    }
    this.#described = this.#describe((buckets) => `q=${buckets.refill.burst};w=${buckets.secondsFor(buckets.refill.burst)}`)
  }

  /** Milliseconds to wait before the next one; 0: none. */
  wait(policy: Policy, client: string, now: number): number {
    return this.#policies[policy].wait(client, now)
  }

  count(policy: Policy, client: string, now: number): void {
    this.#policies[policy].take(client, now)
  }

  /** Remaining limits in the headers of the key surface: offers by address, payments by payer. */
  headers(client: string, payer: string, now: number): Record<string, string> {
    const state = this.#describe((buckets, policy) => {
      const whom = policy === 'challenges' ? client : payer
      const left = buckets.left(whom, now)
      return `r=${Math.max(0, Math.floor(left))};t=${buckets.secondsFor(buckets.refill.burst - left)}`
    })
    return { 'ratelimit-policy': this.#described, ratelimit: state }
  }

  #describe(describe: (buckets: Buckets, policy: string) => string): string {
    return Object.entries(this.#policies)
      .map(([name, buckets]) => `"${name}";${describe(buckets, name)}`)
      .join(', ')
  }
}
