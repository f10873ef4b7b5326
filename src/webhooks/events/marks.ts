import { SingleFlight } from '../../lib/single-flight.ts'
import type { HeightMark } from '../../store/read/head/height-mark.ts'

/** Heights that are skimmed at once. */
const PAGE = 500
const KEPT = 4 * PAGE

/** Marks of heights, read in pages and kept while subscriptions pass over them. */
export class Marks {
  readonly #read: (from: number, to: number) => Promise<HeightMark[]>
  readonly #known = new Map<number, HeightMark>()
  readonly #reading = new SingleFlight<void>()

  constructor(read: (from: number, to: number) => Promise<HeightMark[]>) {
    this.#read = read
  }

  /** Marks from `from` on, in order: at least one when `from` is there, and none beyond `to`. */
  async from(from: number, to: number): Promise<HeightMark[]> {
    if (!this.#known.has(from)) {
      const last = Math.min(to, from + PAGE - 1)
      await this.#reading.run(`${from}-${last}`, () => this.#load(from, last))
    }
    const marks: HeightMark[] = []
    for (let height = from; height <= to && marks.length < PAGE; height++) {
      const mark = this.#known.get(height)
      if (!mark) break
      marks.push(mark)
    }
    return marks
  }

  dropAbove(height: number): void {
    for (const at of this.#known.keys()) if (at > height) this.#known.delete(at)
  }

  async #load(from: number, to: number): Promise<void> {
    for (const mark of await this.#read(from, to)) {
      this.#known.delete(mark.height)
      this.#known.set(mark.height, mark)
    }
    for (const height of this.#known.keys()) {
      if (this.#known.size <= KEPT) return
      this.#known.delete(height)
    }
  }
}
