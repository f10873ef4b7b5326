/** A height as a node told it: who did, the digest of its events where it was computed, and `app_hash` of its header. */
export type Told = { origin: string; eventsHash?: string | undefined; appHash: string }

/** The last heights that were handed to the writer, by whom they were told. It outlives a run, so that a retry knows what was tried. */
export class ToldHeights {
  readonly #kept: number
  readonly #heights = new Map<number, Told>()
  /** how often everything was tried for the contradiction at this height, with these nodes to read from */
  #tried: { height: number; nodes: string; times: number } | undefined
  #outvotedAt = 0

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

  /** Whether nobody was outvoted at this height or above it yet; notes that somebody is now. A second vote is in vain where most nodes lie. */
  mayOutvote(height: number): boolean {
    if (height <= this.#outvotedAt) return false
    this.#outvotedAt = height
    return true
  }

  /** How often heights were taken back for a contradiction at `height` already, with the same nodes to read from; notes that they are now. */
  countTries(height: number, origins: readonly string[]): number {
    const nodes = [...origins].sort().join(' ')
    const times = this.#tried?.height === height && this.#tried.nodes === nodes ? this.#tried.times : 0
    this.#tried = { height, nodes, times: times + 1 }
    return times
  }
}
