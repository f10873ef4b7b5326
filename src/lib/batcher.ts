type Waiting<In, Out> = { item: In; resolve: (out: Out) => void; reject: (error: unknown) => void }

/**
 * Many small pieces of work as few large ones: what is added while a batch runs makes up the next. `run` answers in the order of its
 * items; when it fails, each of them fails.
 */
export class Batcher<In, Out> {
  readonly #run: (items: In[]) => Promise<readonly Out[]>
  readonly #largest: number
  #waiting: Waiting<In, Out>[] = []
  #isRunning = false

  constructor(run: (items: In[]) => Promise<readonly Out[]>, largest: number) {
    this.#run = run
    this.#largest = largest
  }

  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (this.#isRunning) return
      this.#isRunning = true
      // Entries added in this turn of the event loop join the batch.
      setImmediate(() => void this.#work())
    })
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#largest)
      try {
        const outs = await this.#run(batch.map(({ item }) => item))
        for (const [i, { resolve }] of batch.entries()) resolve(outs[i]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isRunning = false
  }
}
