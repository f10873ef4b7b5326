import { createHmac } from 'node:crypto'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { networkOf } from './client.ts'

const NAMES_KEPT = 50_000

/** Accounts of callers without a key: a keyed hash of their network, so that the shared counters hold no address. */
export class AnonymousNames {
  readonly #pepper: string
  readonly #names = new BoundedCache<string, string>(NAMES_KEPT)

  constructor(pepper: string) {
    this.#pepper = pepper
  }

  of(address: string): string {
    const known = this.#names.get(address)
    if (known !== undefined) return known
    const name = `ip_${createHmac('sha256', this.#pepper).update(networkOf(address)).digest('base64url').slice(0, 22)}`
    this.#names.set(address, name)
    return name
  }
}
