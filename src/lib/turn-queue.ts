/** Client that work is done for. A share of 3 gets three times the time of a share of 1 while both wait. */
export type Client = { name: string; share: number }

/** Outcome of a turn: the work is done, or continues when its client has the next turn. `cost` is what the turn took, in any unit. */
export type Turn<T> = { cost: number } & ({ isDone: true; value: T } | { isDone: false })

type Job = { take: () => Promise<boolean> }
type Standing = {
  share: number
  /** its jobs, those that wait and the one whose turn it is */
  jobs: number
  waiting: Job[]
  /** cost of its turns by its share: the one with the least has the next turn */
  used: number
}

/** Factor by which turns count against a client with several jobs at once. */
const SEVERAL_FACTOR = 3

/**
 * One turn at a time, shared fairly between clients by what their turns cost. A client with several jobs at once has a third of the share
 * of one with a single job, so that one that floods the queue gets a quarter of it while another waits with one job.
 */
export class TurnQueue {
  readonly #clients = new Map<string, Standing>()
  /** used by the client whose turn it was: a new one begins here, with nothing saved up */
  #clock = 0
  #isTaken = false

  /** Jobs of a client that are not done. */
  jobsOf(name: string): number {
    return this.#clients.get(name)?.jobs ?? 0
  }

  run<T>({ name, share }: Client, take: () => Promise<Turn<T>>): Promise<T> {
    const client = this.#clients.get(name) ?? { share, jobs: 0, waiting: [], used: this.#clock }
    this.#clients.set(name, client)
    client.share = share
    client.jobs++
    return new Promise<T>((resolve, reject) => {
      const job = {
        take: async () => {
          try {
            const turn = await take()
            client.used += (turn.cost * (client.jobs > 1 ? SEVERAL_FACTOR : 1)) / client.share
            if (turn.isDone) resolve(turn.value)
            return turn.isDone
          } catch (error) {
            reject(error)
            return true
          }
        },
      }
      client.waiting.push(job)
      void this.#next()
    })
  }

  async #next(): Promise<void> {
    if (this.#isTaken) return
    this.#isTaken = true
    for (let turn = this.#choose(); turn; turn = this.#choose()) {
      const [name, client] = turn
      this.#clock = client.used
      const job = client.waiting.shift()!
      if (await job.take()) client.jobs--
      // Work that has begun is finished first: it holds memory.
      else client.waiting.unshift(job)
      if (client.jobs === 0) this.#clients.delete(name)
    }
    this.#isTaken = false
  }

  /** Equals in the order in which they came. */
  #choose(): [string, Standing] | undefined {
    let best: [string, Standing] | undefined
    for (const one of this.#clients) if (one[1].waiting.length > 0 && (!best || one[1].used < best[1].used)) best = one
    return best
  }
}
