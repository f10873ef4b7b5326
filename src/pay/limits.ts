import type { PayLimits } from './settings.ts'

/** Beyond that the ones used longest ago are forgotten: memory stays bounded under any number of addresses. */
const MAX_CLIENTS = 50_000

/** A bucket per client that fills with time and is emptied by use. */
class Buckets {
  readonly #perMs: number
  readonly #burst: number
  readonly #clients = new Map<string, { left: number; at: number }>()

  constructor(perSecond: number, burst: number) {
    this.#perMs = perSecond / 1000
    this.#burst = burst
  }

  /** Milliseconds until `client` may go on; 0: now. */
  wait(client: string, now: number): number {
    const left = this.#fill(client, now)
    return left >= 1 ? 0 : Math.ceil((1 - left) / this.#perMs)
  }

  take(client: string, now: number): void {
    const left = this.#fill(client, now)
    // Setting it anew moves it to the end of the map, so the first key is the one used longest ago.
    this.#clients.delete(client)
    this.#clients.set(client, { left: left - 1, at: now })
    if (this.#clients.size > MAX_CLIENTS) this.#clients.delete(this.#clients.keys().next().value!)
  }

  #fill(client: string, now: number): number {
    const bucket = this.#clients.get(client)
    return bucket ? Math.min(this.#burst, bucket.left + (now - bucket.at) * this.#perMs) : this.#burst
  }
}

/**
 * How often a client may ask for offers, and how often its payments may fail: a failed one costs calls to the payment chain.
 * Kept per process: replicas together allow a multiple of it, which is still a bound.
 */
export class ClientLimits {
  readonly #challenges: Buckets
  readonly #failures: Buckets

  constructor(limits: PayLimits) {
    this.#challenges = new Buckets(limits.challengesPerS, limits.challengeBurst)
    this.#failures = new Buckets(limits.failuresPerMinute / 60, limits.failureBurst)
  }

  /** Milliseconds to wait before the next offer; 0 takes one. */
  takeChallenge(client: string, now: number): number {
    const wait = this.#challenges.wait(client, now)
    if (wait === 0) this.#challenges.take(client, now)
    return wait
  }

  waitAfterFailures(client: string, now: number): number {
    return this.#failures.wait(client, now)
  }

  countFailure(client: string, now: number): void {
    this.#failures.take(client, now)
  }
}

/** IPv4 as it is; IPv6 by its /64, which one customer has whole. */
export function clientOf(ip: string): string {
  const mapped = ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip
  if (!mapped.includes(':')) return mapped
  const [head = '', tail] = mapped.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : new Array(Math.max(0, 8 - front.length - back.length)).fill('0')
  return [...front, ...zeros, ...back].slice(0, 4).join(':')
}
