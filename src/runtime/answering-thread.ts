import type { Worker } from 'node:worker_threads'

type Waiting<Reply> = { resolve: (reply: Reply) => void; reject: (error: Error) => void }

/** A thread that answers requests by their id. What waits when it ends fails, and so does what is asked afterwards. */
export class AnsweringThread<Request extends { id: number }, Reply extends { id: number }> {
  readonly #worker: Worker
  readonly #toError: (cause: Error) => Error
  readonly #waiting = new Map<number, Waiting<Reply>>()
  #end: Error | undefined

  constructor(worker: Worker, toError: (cause: Error) => Error) {
    this.#worker = worker
    this.#toError = toError
    worker.on('message', (reply: Reply) => this.#settle(reply))
    worker.on('error', (error) => this.#fail(error))
    worker.on('exit', () => this.#fail(new Error('the thread ended')))
    worker.unref()
  }

  get isOver(): boolean {
    return this.#end !== undefined
  }

  /** Requests without an answer yet. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** `moved` is memory that the thread takes over; everything else is copied. */
  ask(request: Request, moved: ArrayBuffer[]): Promise<Reply> {
    if (this.#end) return Promise.reject(this.#end)
    // Only work keeps a process alive.
    this.#worker.ref()
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject })
      this.#worker.postMessage(request, moved)
    })
  }

  async close(): Promise<void> {
    this.#fail(new Error('the thread was closed'))
    await this.#worker.terminate()
  }

  #settle(reply: Reply): void {
    this.#waiting.get(reply.id)?.resolve(reply)
    this.#waiting.delete(reply.id)
    if (this.#waiting.size === 0) this.#worker.unref()
  }

  #fail(cause: Error): void {
    this.#end ??= this.#toError(cause)
    for (const { reject } of this.#waiting.values()) reject(this.#end)
    this.#waiting.clear()
  }
}
