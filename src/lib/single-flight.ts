/** Calls with a key that is being worked on share that work and its outcome. Nothing is kept once it is done. */
export class SingleFlight<T> {
  readonly #running = new Map<string | number | object, Promise<T>>()

  run(key: string | number | object, work: () => Promise<T>): Promise<T> {
    const known = this.#running.get(key)
    if (known) return known
    const running = work().finally(() => this.#running.delete(key))
    this.#running.set(key, running)
    return running
  }
}
