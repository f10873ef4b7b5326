import { BoundedCache } from '../lib/bounded-cache.ts'
import { SingleFlight } from '../lib/single-flight.ts'
import type { HeightSummary } from '../store/read/head/height-summary.ts'

/** Heights that are read at once. */
const PAGE = 500
const KEPT = 8 * PAGE

type ReadPage = (from: number, to: number, keep: (marks: readonly HeightSummary[]) => void) => Promise<void>

/** Summaries of heights, read in pages and kept while subscriptions pass over them. */
export class HeightSummaries {
  readonly #read: ReadPage
  readonly #known = new BoundedCache<number, HeightSummary>(KEPT)
  readonly #reading = new SingleFlight<void>()

  constructor(read: ReadPage) {
    this.#read = read
  }

  /** Those from `from` on, in order: at least one when `from` is there, and none beyond `to`. */
  async from(from: number, to: number): Promise<HeightSummary[]> {
    if (!this.#known.get(from)) {
      const last = Math.min(to, from + PAGE - 1)
      await this.#reading.run(`${from}-${last}`, () =>
        this.#read(from, last, (marks) => {
          for (const mark of marks) this.#known.set(mark.height, mark)
        }),
      )
    }
    const marks: HeightSummary[] = []
    for (let height = from; height <= to && marks.length < PAGE; height++) {
      const mark = this.#known.get(height)
      if (!mark) break
      marks.push(mark)
    }
    return marks
  }

  clear(): void {
    this.#known.clear()
  }
}
