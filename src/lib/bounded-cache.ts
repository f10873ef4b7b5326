/**
 * Values used last, within a limit: a number of entries, or of whatever `sizeOf` counts. When `current` is half of the limit it becomes
 * `previous`, and what is found there moves on, so used values survive. A hit costs one look-up, which an exact order of use does not.
 * The newest value stays whatever its size.
 */
export class BoundedCache<Key, Value> {
  readonly #half: number
  readonly #sizeOf: (value: Value, key: Key) => number
  #current = new Map<Key, Value>()
  #previous = new Map<Key, Value>()
  #size = 0

  constructor(limit: number, sizeOf: (value: Value, key: Key) => number = () => 1) {
    this.#half = limit / 2
    this.#sizeOf = sizeOf
  }

  get(key: Key): Value | undefined {
    const value = this.#current.get(key)
    if (value !== undefined) return value
    const older = this.#previous.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: Key, value: Value): void {
    const size = this.#sizeOf(value, key)
    const replaced = this.#current.get(key)
    if (replaced !== undefined) this.#size -= this.#sizeOf(replaced, key)
    if (this.#size > 0 && this.#size + size > this.#half) {
      this.#previous = this.#current
      this.#current = new Map()
      this.#size = 0
    }
    this.#size += size
    this.#current.set(key, value)
  }

  delete(key: Key): void {
    const value = this.#current.get(key)
    if (value !== undefined) this.#size -= this.#sizeOf(value, key)
    this.#current.delete(key)
    this.#previous.delete(key)
  }

  clear(): void {
    this.#current = new Map()
    this.#previous = new Map()
    this.#size = 0
  }
}
