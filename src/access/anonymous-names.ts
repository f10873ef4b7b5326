import { createHmac } from 'node:crypto'
import { networkOf } from './client.ts'

const NAMES_KEPT = 50_000

/** Accounts of callers without a key: a keyed hash of their network, so that the shared counters hold no address. */
export class AnonymousNames {
  readonly #pepper: string
  readonly #names = new Map<string, string>()

  constructor(pepper: string) {
    this.#pepper = pepper
  }

  of(address: string): string {
    let name = this.#names.get(address)
    if (name === undefined) {
      name = `ip_${createHmac('sha256', this.#pepper).update(networkOf(address)).digest('base64url').slice(0, 22)}`
      if (this.#names.size >= NAMES_KEPT) this.#names.clear()
      this.#names.set(address, name)
    }
    return name
  }
}
