/**
 * Bounds the bytes that several ordered readers hold together. The reader with the lowest order always passes, because everybody
 * behind it waits for it anyway: the bound is `limit` plus what that one reader takes, and nothing can lock up.
 */
export class ByteGate {
  readonly #limit: number
  readonly #held = new Map<number, number>()
  #used = 0
  #isOpen = false
  #waiters: { order: number; bytes: number; resolve: () => void }[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  get used(): number {
    return this.#used
  }

  hasRoom(): boolean {
    return this.#used < this.#limit
  }

  /** Announces a reader; until `leave` its order counts. */
  enter(order: number): void {
    this.#held.set(order, this.#held.get(order) ?? 0)
  }

  /** Takes `bytes` at once (undefined), or gives a promise to wait for. */
  take(order: number, bytes: number): Promise<void> | undefined {
    if (this.#mayPass(order, bytes)) {
      this.#add(order, bytes)
      return undefined
    }
    return new Promise((resolve) => this.#waiters.push({ order, bytes, resolve }))
  }

  /** Gives back what a reader holds, as when it starts over; it stays announced. */
  giveBack(order: number): void {
    const bytes = this.#held.get(order)
    if (bytes === undefined) return
    this.#used -= bytes
    this.#held.set(order, 0)
    this.#wake()
  }

  leave(order: number): void {
    this.#used -= this.#held.get(order) ?? 0
    this.#held.delete(order)
    this.#wake()
  }

  /** Lets everybody pass: the readers are being stopped, and none shall wait here. */
  open(): void {
    this.#isOpen = true
    this.#wake()
  }

  #mayPass(order: number, bytes: number): boolean {
    return this.#isOpen || this.#used + bytes <= this.#limit || order <= this.#lowest()
  }

  #lowest(): number {
    let lowest = Number.POSITIVE_INFINITY
    for (const order of this.#held.keys()) if (order < lowest) lowest = order
    return lowest
  }

  #add(order: number, bytes: number): void {
    this.#used += bytes
    this.#held.set(order, (this.#held.get(order) ?? 0) + bytes)
  }

  #wake(): void {
    if (this.#waiters.length === 0) return
    this.#waiters.sort((a, b) => a.order - b.order)
    this.#waiters = this.#waiters.filter((waiter) => {
      if (!this.#mayPass(waiter.order, waiter.bytes)) return true
      this.#add(waiter.order, waiter.bytes)
      waiter.resolve()
      return false
    })
  }
}
