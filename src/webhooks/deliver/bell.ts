/** Wakes one sleeper. A ring while nobody sleeps wakes the next one at once: none is lost. */
export class Bell {
  #hasRung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#hasRung = true
    this.#wake?.()
  }

  /** Until the next ring, or until `ms` have passed. */
  async wait(ms?: number): Promise<void> {
    if (!this.#hasRung)
      await new Promise<void>((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
        timer?.unref()
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.#wake = undefined
    this.#hasRung = false
  }
}
