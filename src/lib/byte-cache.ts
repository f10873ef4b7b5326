/** Values used last, within a number of bytes; the newest stays whatever its size. */
export class ByteCache<Value> {
  readonly #maxBytes: number
  readonly #values = new Map<string, { value: Value; size: number }>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): Value | undefined {
    const kept = this.#values.get(key)
    if (!kept) return undefined
    // To the end of the line: the map keeps the order in which its keys came.
    this.#values.delete(key)
    this.#values.set(key, kept)
    return kept.value
  }

  add(key: string, value: Value, size: number): void {
    this.remove(key)
    this.#values.set(key, { value, size })
    this.#bytes += size
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#maxBytes || oldest === key) return
      this.remove(oldest)
    }
  }

  remove(key: string): void {
    const kept = this.#values.get(key)
    if (!kept) return
    this.#values.delete(key)
    this.#bytes -= kept.size
  }
}
