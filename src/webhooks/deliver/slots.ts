import { FairQueue } from '../../lib/fair-queue.ts'

/** A receiver that takes longer is slow: its request gives its place back and its next one waits with those that fail. */
export const SLOW_MS = 1000

/**
 * Bounds the requests under way. Accounts take turns, and subscriptions that fail or are slow share a part of their own: receivers that
 * hang until the timeout cannot take the place of those that answer.
 */
export class DeliverySlots {
  readonly #healthy: FairQueue
  readonly #troubled: FairQueue
  readonly #most: number
  /** requests that gave their place back and are still under way */
  #slow = 0

  constructor(concurrency: number) {
    const troubled = Math.max(1, Math.floor(concurrency / 4))
    this.#most = concurrency
    this.#troubled = new FairQueue(troubled)
    this.#healthy = new FairQueue(Math.max(1, concurrency - troubled))
  }

  async run<T>(account: string, isTroubled: boolean, job: () => Promise<T>): Promise<T> {
    if (isTroubled) return this.#troubled.run(account, 1, job)
    // An object, so that the queue waits for the place and not for the outcome.
    const { outcome } = await this.#healthy.run(account, 1, async () => {
      const started = { outcome: job() }
      await this.#untilSlow(started.outcome)
      return started
    })
    return outcome
  }

  async #untilSlow(outcome: Promise<unknown>): Promise<void> {
    const isDone = outcome.then(
      () => true,
      () => true,
    )
    let timer: NodeJS.Timeout | undefined
    const isLate = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), SLOW_MS)
    })
    const isInTime = await Promise.race([isDone, isLate])
    clearTimeout(timer)
    if (isInTime) return
    // No more of them than there are places: beyond that a slow request keeps its own.
    if (this.#slow >= this.#most) return void (await isDone)
    this.#slow++
    void isDone.then(() => this.#slow--)
  }
}
