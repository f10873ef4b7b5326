/** A height as a node told it: who did, the digest of its events where it was computed, and `app_hash` of its header. */
export type Told = { origin: string; eventsHash?: string | undefined; appHash: string }

/** The last heights that were handed to the writer, by whom they were told. It outlives a run, so that a retry knows what was tried. */
export class ToldHeights {
  readonly #kept: number
  readonly #heights = new Map<number, Told>()
  /** taken back as far as undo records reach, for the contradiction at this height, with these nodes to read from */
  #exhausted: { height: number; nodes: string } | undefined

  constructor(kept: number) {
    this.#kept = kept
  }

  add(height: number, { origin, eventsHash, appHash }: Told): void {
    this.#heights.delete(height)
    this.#heights.set(height, { origin, eventsHash, appHash })
    if (this.#heights.size <= this.#kept) return
    for (const old of this.#heights.keys()) {
      if (this.#heights.size <= this.#kept) return
      this.#heights.delete(old)
    }
  }

  at(height: number): Told | undefined {
    return this.#heights.get(height)
  }

  /** Whether everything was taken back for a contradiction at `height` already, with the same nodes to read from; notes that it is now. */
  isExhausted(height: number, origins: readonly string[]): boolean {
    const nodes = [...origins].sort().join(' ')
    const isKnown = this.#exhausted?.height === height && this.#exhausted.nodes === nodes
    this.#exhausted = { height, nodes }
    return isKnown
  }
}
