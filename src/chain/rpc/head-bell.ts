/** Wakes whoever waits for a new height. */
export class HeadBell {
  #unheard = 0
  #listeners: { height: number; resolve: () => void }[] = []

  /** A height was named, by an announcement or by an answer that came late. */
  ring(height: number): void {
    const waiting = this.#listeners.filter((listener) => height > listener.height)
    // A height wakes once: a node that names one out of reach must not keep us awake.
    if (waiting.length === 0) this.#unheard = height
    this.#listeners = this.#listeners.filter((listener) => !waiting.includes(listener))
    for (const listener of waiting) listener.resolve()
  }

  /** Resolves at the next ring for a height above `height`, right away when there was one since the last call, and when aborted. */
  next(height: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const isKnown = this.#unheard > height
      this.#unheard = 0
      if (isKnown || signal.aborted) return resolve()
      const listener = { height, resolve }
      this.#listeners.push(listener)
      signal.addEventListener('abort', () => {
        this.#listeners = this.#listeners.filter((other) => other !== listener)
        resolve()
      })
    })
  }
}
