import type { Allowance, Gate, LimitReached, Release } from './admission.ts'

/** The slot of one open connection: who holds it, and for how long that stands. */
export class ConnectionSlot {
  readonly #gate: Gate
  #release: Release
  #allowance: Allowance
  #isOver = false

  private constructor(gate: Gate, release: Release, allowance: Allowance) {
    this.#gate = gate
    this.#release = release
    this.#allowance = allowance
  }

  static async take(gate: Gate, allowance: Allowance): Promise<ConnectionSlot | LimitReached> {
    const release = await gate.enter(allowance)
    return typeof release === 'string' ? release : new ConnectionSlot(gate, release, allowance)
  }

  get isValid(): boolean {
    return this.#allowance.isValid?.() ?? true
  }

  /** Counts the connection for somebody else from now on; the old slot is kept when there is no new one. */
  async moveTo(allowance: Allowance): Promise<LimitReached | undefined> {
    const release = await this.#gate.enter(allowance)
    if (typeof release === 'string') return release
    // The connection may have been closed during the wait.
    if (this.#isOver) release()
    else {
      this.#release()
      this.#release = release
      this.#allowance = allowance
    }
    return undefined
  }

  release(): void {
    this.#isOver = true
    this.#release()
  }
}
