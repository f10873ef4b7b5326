import type { Clock } from '../../lib/clock.ts'

/** Collects what comes within a window, or up to a number, and works on it together. */
export class Window<T, R> {
  readonly #work: (items: readonly T[]) => Promise<readonly R[]>
  readonly #limits: { ms: number; size: number; clock: Clock }
  #waiting: { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }[] = []

  constructor(work: (items: readonly T[]) => Promise<readonly R[]>, limits: { ms: number; size: number; clock: Clock }) {
    this.#work = work
    this.#limits = limits
  }

  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (this.#waiting.length >= this.#limits.size) void this.#flush()
      else if (this.#waiting.length === 1) void this.#limits.clock.sleep(this.#limits.ms).then(() => this.#flush())
    })
  }

  async #flush(): Promise<void> {
    const taken = this.#waiting
    this.#waiting = []
    if (taken.length === 0) return
    try {
      const results = await this.#work(taken.map(({ item }) => item))
      for (const [i, { resolve }] of taken.entries()) resolve(results[i]!)
    } catch (error) {
      for (const { reject } of taken) reject(error)
    }
  }
}
