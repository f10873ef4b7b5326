import type { Allowance, Crowd, Gate, Leave } from './admission.ts'

/** The place of one open connection: who holds it, and for how long that stands. */
export class Place {
  readonly #gate: Gate
  #leave: Leave
  #allowance: Allowance
  #isOver = false

  private constructor(gate: Gate, leave: Leave, allowance: Allowance) {
    this.#gate = gate
    this.#leave = leave
    this.#allowance = allowance
  }

  static async take(gate: Gate, allowance: Allowance): Promise<Place | Crowd> {
    const leave = await gate.enter(allowance)
    return typeof leave === 'string' ? leave : new Place(gate, leave, allowance)
  }

  get isValid(): boolean {
    return this.#allowance.isValid?.() ?? true
  }

  /** Counts the connection for somebody else from now on; the old place is kept when there is no new one. */
  async moveTo(allowance: Allowance): Promise<Crowd | undefined> {
    const leave = await this.#gate.enter(allowance)
    if (typeof leave === 'string') return leave
    // It may have been closed while we waited.
    if (this.#isOver) leave()
    else {
      this.#leave()
      this.#leave = leave
      this.#allowance = allowance
    }
    return undefined
  }

  leave(): void {
    this.#isOver = true
    this.#leave()
  }
}
