export type HeartbeatLimits = { pingMs: number; idleMs: number }

/** When a client was last heard of, and whether it was asked for a sign of life since. */
export class Heartbeat {
  #heardAt: number
  #isAsked = false

  constructor(now: number) {
    this.#heardAt = now
  }

  hear(now: number): void {
    this.#heardAt = now
    this.#isAsked = false
  }

  /**
   * Called every `pingMs`. True: it is to be asked (again). False: it was asked and nothing came for `idleMs`, give or take half of the
   * time between two questions. One that nobody asked is not gone, however long ago it was heard of: then we stood still ourselves.
   */
  check(now: number, { pingMs, idleMs }: HeartbeatLimits): boolean {
    if (this.#isAsked && now - this.#heardAt >= idleMs - pingMs / 2) return false
    this.#isAsked = true
    return true
  }
}
