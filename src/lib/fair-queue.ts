type Waiting = { weight: number; start: () => void }

/**
 * Runs jobs so that those under way weigh at most `limit` together; one that is heavier alone runs alone. Groups take turns: one with
 * many jobs delays another group by one job at a time, not by all of them, and has at most `perGroup` of them under way.
 */
export class FairQueue {
  readonly #limit: number
  /** in the order of their turns */
  readonly #groups = new Map<string, Waiting[]>()
  readonly #perGroup: number
  /** jobs under way by group */
  readonly #activeOf = new Map<string, number>()
  #running = 0
  #active = 0
  #waiting = 0

  constructor(limit: number, perGroup = Number.POSITIVE_INFINITY) {
    this.#limit = limit
    this.#perGroup = perGroup
  }

  /** Weight of the jobs that have not started yet. */
  get waiting(): number {
    return this.#waiting
  }

  /** Jobs of a group that have not started yet. */
  waitingOf(group: string): number {
    return this.#groups.get(group)?.length ?? 0
  }

  async run<T>(group: string, weight: number, job: () => Promise<T>): Promise<T> {
    await this.#enter(group, weight)
    try {
      return await job()
    } finally {
      this.#active--
      this.#count(group, -1)
      this.#running -= weight
      this.#next()
    }
  }

  #enter(group: string, weight: number): Promise<void> {
    return new Promise((resolve) => {
      const jobs = this.#groups.get(group) ?? []
      jobs.push({ weight, start: resolve })
      this.#groups.set(group, jobs)
      this.#waiting += weight
      this.#next()
    })
  }

  /** Whoever has the next turn is waited for, even if a lighter job behind it would fit: else a heavy one might never start. */
  #next(): void {
    for (;;) {
      const turn = this.#findTurn()
      if (!turn) return
      const [group, jobs] = turn
      const { weight, start } = jobs[0]!
      if (this.#active > 0 && this.#running + weight > this.#limit) return
      jobs.shift()
      this.#groups.delete(group)
      if (jobs.length > 0) this.#groups.set(group, jobs)
      this.#active++
      this.#count(group, 1)
      this.#running += weight
      this.#waiting -= weight
      start()
    }
  }

  #findTurn(): [string, Waiting[]] | undefined {
    for (const turn of this.#groups) if ((this.#activeOf.get(turn[0]) ?? 0) < this.#perGroup) return turn
    return undefined
  }

  #count(group: string, change: 1 | -1): void {
    const active = (this.#activeOf.get(group) ?? 0) + change
    if (active === 0) this.#activeOf.delete(group)
    else this.#activeOf.set(group, active)
  }
}
