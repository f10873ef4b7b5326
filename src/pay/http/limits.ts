import type { PayLimits } from '../settings.ts'

/** Beyond that the ones used longest ago are forgotten: memory stays bounded under any number of addresses. */
const MAX_CLIENTS = 50_000

/** A bucket per client that fills with time and is emptied by use. */
class Buckets {
  readonly burst: number
  readonly #perMs: number
  readonly #clients = new Map<string, { left: number; at: number }>()

  constructor(perSecond: number, burst: number) {
    this.#perMs = perSecond / 1000
    this.burst = burst
  }

  /** Seconds in which an empty bucket fills up. */
  get windowS(): number {
    return toSeconds(this.burst / this.#perMs)
  }

  /** Milliseconds until `client` may go on; 0: now. */
  wait(client: string, now: number): number {
    const left = this.left(client, now)
    return left >= 1 ? 0 : Math.ceil((1 - left) / this.#perMs)
  }

  take(client: string, now: number): void {
    const left = this.left(client, now)
    // Setting it again moves it to the end of the map, so the first key is the one used longest ago.
    this.#clients.delete(client)
    this.#clients.set(client, { left: left - 1, at: now })
    if (this.#clients.size > MAX_CLIENTS) this.#clients.delete(this.#clients.keys().next().value!)
  }

  left(client: string, now: number): number {
    const bucket = this.#clients.get(client)
    return bucket ? Math.min(this.burst, bucket.left + (now - bucket.at) * this.#perMs) : this.burst
  }

  /** Seconds until the bucket of `client` is full again. */
  fullInS(client: string, now: number): number {
    return toSeconds((this.burst - this.left(client, now)) / this.#perMs)
  }
}

const toSeconds = (ms: number): number => Math.ceil(ms / 1000)

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
    this.#described = this.#describe(({ burst, windowS }) => `q=${burst};w=${windowS}`)
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
      const left = Math.max(0, Math.floor(buckets.left(whom, now)))
      return `r=${left};t=${buckets.fullInS(whom, now)}`
    })
    return { 'ratelimit-policy': this.#described, ratelimit: state }
  }

  #describe(describe: (buckets: Buckets, policy: string) => string): string {
    return Object.entries(this.#policies)
      .map(([name, buckets]) => `"${name}";${describe(buckets, name)}`)
      .join(', ')
  }
}
