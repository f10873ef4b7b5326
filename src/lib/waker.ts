type Sleeper = { above: number; wake: () => void }

/** Limits of a wait beside a call of `wake`: time, and the signal. `above`: lower levels do not wake. */
export type WaitOptions = { above?: number; ms?: number; signal?: AbortSignal }

/** Wakes those who wait. A call that wakes nobody is kept for the next wait, so none is lost. */
export class Waker {
  #missed = Number.NEGATIVE_INFINITY
  #sleepers: Sleeper[] = []

  /** A level wakes once: a node that names a height out of reach must not keep us awake. */
  wake(level = Number.POSITIVE_INFINITY): void {
    const woken = this.#sleepers.filter(({ above }) => level > above)
    if (woken.length === 0) this.#missed = level
    this.#sleepers = this.#sleepers.filter(({ above }) => level <= above)
    for (const { wake } of woken) wake()
  }

  wait({ above = Number.NEGATIVE_INFINITY, ms, signal }: WaitOptions = {}): Promise<void> {
    const isKnown = this.#missed > above
    this.#missed = Number.NEGATIVE_INFINITY
    if (isKnown || signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
        resolve()
      }
      const sleeper = { above, wake: end }
      const timer = ms === undefined ? undefined : setTimeout(end, ms)
      timer?.unref()
      signal?.addEventListener('abort', end)
      this.#sleepers.push(sleeper)
    })
  }
}
