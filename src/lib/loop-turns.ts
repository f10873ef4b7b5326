/** Time that answers may take of one turn of the event loop together, before everything else that waits for the loop. */
const TURN_MS = 5

type Waiting = () => void

/**
 * Shares the event loop between pieces of work that take milliseconds each. Many of them may become ready at once, as when several
 * connections of the database answer: without turns all of them run before the next request is even read. Clients take turns as well.
 */
export class LoopTurns {
  readonly #now: () => number
  /** in the order of their turns */
  readonly #clients = new Map<string, Waiting[]>()
  #startedAt: number | undefined

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Before a piece of work. Undefined: at once, since this turn of the loop has time left and nobody else waits. */
  take(client: string): Promise<void> | undefined {
    return this.#clients.size === 0 ? this.goOn(client) : this.#wait(client)
  }

  /** Within a piece of work, as often as it likes. Undefined: it may go on in this turn of the loop. */
  goOn(client: string): Promise<void> | undefined {
    if (this.#startedAt === undefined) return this.#begin()
    return this.#now() - this.#startedAt < TURN_MS ? undefined : this.#wait(client)
  }

  #wait(client: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#clients.get(client)
      if (waiting) waiting.push(resolve)
      else this.#clients.set(client, [resolve])
    })
  }

  #begin(): undefined {
    this.#startedAt = this.#now()
    // Runs after everything that is ready now, and lets the loop look for what else is.
    setImmediate(() => this.#next())
  }

  #next(): void {
    this.#startedAt = undefined
    const [turn] = this.#clients
    if (!turn) return
    const [client, waiting] = turn
    this.#clients.delete(client)
    const resolve = waiting.shift()!
    if (waiting.length > 0) this.#clients.set(client, waiting)
    this.#begin()
    resolve()
  }
}

/** All answers of a process share its loop. */
export const loopTurns = new LoopTurns()
