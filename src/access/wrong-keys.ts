/** Counts wrong keys per client network: after 5 in 30 s the rest is not even told what was wrong. */
export class WrongKeys {
  static readonly WINDOW_SECONDS = 30
  static readonly MOST = 5
  static readonly #MAX_NETWORKS = 100_000
  readonly #times = new Map<string, number[]>()
  readonly #now: () => number
  /** Told of every wrong key that came in here, for other processes behind the same address. */
  onAdd: (network: string) => void = () => {}

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** True when this one is too many. */
  add(network: string): boolean {
    this.onAdd(network)
    return this.hear(network)
  }

  /** Counts a wrong key that another process was given. */
  hear(network: string): boolean {
    const now = this.#now()
    const since = now - WrongKeys.WINDOW_SECONDS * 1000
    const recent = (this.#times.get(network) ?? []).filter((time) => time > since && time <= now)
    recent.push(now)
    // The newest few decide: a flood does not make the list grow.
    if (recent.length > WrongKeys.MOST + 1) recent.shift()
    this.#times.delete(network)
    this.#times.set(network, recent)
    if (this.#times.size > WrongKeys.#MAX_NETWORKS) this.#dropOldest()
    return recent.length > WrongKeys.MOST
  }

  #dropOldest(): void {
    for (const oldest of this.#times.keys()) {
      this.#times.delete(oldest)
      return
    }
  }
}
