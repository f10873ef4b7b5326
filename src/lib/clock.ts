import { setTimeout as delay } from 'node:timers/promises'

/** Time as something that is passed in: tests bring a clock of their own and need no sleeps. */
export interface Clock {
  /** Milliseconds; only differences count. */
  now(): number
  /** Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await delay(ms, undefined, signal && { signal })
    } catch (error) {
      throw signal?.reason ?? error
    }
  },
}
