import { type Clock, systemClock } from '../src/lib/clock.ts'

/** A clock that runs `factor` times as fast: pauses of half a minute pass in a blink while sockets stay real. */
export function createFastClock(factor: number): Clock {
  return {
    now: () => systemClock.now() * factor,
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  }
}

/** A clock that only moves when told. */
export class ManualClock implements Clock {
  #now = 0
  #sleepers: { at: number; wake: () => void }[] = []

  now(): number {
    return this.#now
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const sleeper = { at: this.#now + ms, wake: resolve }
      this.#sleepers.push(sleeper)
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
        reject(signal.reason)
      })
    })
  }

  /** How many wait for a later time. */
  sleepers(): number {
    return this.#sleepers.length
  }

  /** Moves on by `ms`, waking sleepers in their order and letting each do what it woke up for. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    await settle()
    for (;;) {
      const due = this.#sleepers.filter((sleeper) => sleeper.at <= end).sort((a, b) => a.at - b.at)[0]
      if (!due) break
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== due)
      this.#now = due.at
      due.wake()
      await settle()
    }
    this.#now = end
  }
}

/** Everything that needs no time and no I/O has happened. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
