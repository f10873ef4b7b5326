import { addUsage, type UsageCount } from '../store/access/usage.ts'
import type { SqlPool } from '../store/db.ts'

type Count = Omit<UsageCount, 'keyId' | 'day'>

/** Counts requests per key and day in memory and adds them to the database every second: no request waits for it. */
export class UsageCounter {
  readonly #sql: SqlPool
  readonly #now: () => number
  readonly #onError: (error: unknown) => void
  #counts = new Map<string, Count>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(sql: SqlPool, options: { now?: () => number; onError?: (error: unknown) => void } = {}) {
    this.#sql = sql
    this.#now = options.now ?? Date.now
    this.#onError = options.onError ?? (() => {})
  }

  start(everyMs = 1000): void {
    this.#timer = setInterval(() => this.flush().catch(this.#onError), everyMs)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush().catch(this.#onError)
  }

  add(keyId: string, points: number, isServed: boolean): void {
    const name = this.#nameOf(keyId)
    const count = this.#counts.get(name)
    if (!count) this.#counts.set(name, { requests: 1, points: isServed ? points : 0, refused: isServed ? 0 : 1 })
    else {
      count.requests++
      if (isServed) count.points += points
      else count.refused++
    }
  }

  /** Points of a request that is counted already. */
  addPoints(keyId: string, points: number): void {
    this.add(keyId, points, true)
    this.#counts.get(this.#nameOf(keyId))!.requests--
  }

  /** One at a time: what a failed one could not write is written by the next. */
  flush(): Promise<void> {
    const next = this.#flushing.catch(() => {}).then(() => this.#write())
    this.#flushing = next
    return next
  }

  #nameOf(keyId: string): string {
    return `${keyId} ${new Date(this.#now()).toISOString().slice(0, 10)}`
  }

  async #write(): Promise<void> {
    if (this.#counts.size === 0) return
    const counts = this.#counts
    this.#counts = new Map()
    try {
      await addUsage(
        this.#sql,
        [...counts].map(([name, count]) => ({ keyId: name.split(' ')[0]!, day: name.split(' ')[1]!, ...count })),
      )
    } catch (error) {
      for (const [name, { requests, points, refused }] of counts) {
        const newer = this.#counts.get(name)
        this.#counts.set(name, {
          requests: requests + (newer?.requests ?? 0),
          points: points + (newer?.points ?? 0),
          refused: refused + (newer?.refused ?? 0),
        })
      }
      throw error
    }
  }
}
