import { FairQueue } from '../../lib/fair-queue.ts'

/**
 * Bounds the requests under way. Accounts take turns, and subscriptions that fail share a part of their own: receivers that hang until
 * the timeout cannot take the place of those that answer.
 */
export class Lanes {
  readonly #healthy: FairQueue
  readonly #failing: FairQueue

  constructor(concurrency: number) {
    const failing = Math.max(1, Math.floor(concurrency / 4))
    this.#failing = new FairQueue(failing)
    this.#healthy = new FairQueue(Math.max(1, concurrency - failing))
  }

  run<T>(account: string, isFailing: boolean, job: () => Promise<T>): Promise<T> {
    return (isFailing ? this.#failing : this.#healthy).run(account, 1, job)
  }
}
