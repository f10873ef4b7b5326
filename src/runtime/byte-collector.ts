import { freeMemory } from './free-memory.ts'

const [FIRST_SLAB_BYTES, SLAB_BYTES] = [2 ** 16, 2 ** 20]

/**
 * Joins pieces to one buffer. Each is copied into a slab when it comes, so that a piece dies young: one that waits for the others becomes
 * an old object, and its memory stays until the collector looks at those. Each slab is given back as soon as it is copied.
 * Unnecessary once answers of nodes are parsed as they arrive.
 */
export class ByteCollector {
  #slabs: Buffer<ArrayBuffer>[] = []
  /** in the last slab */
  #free = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  add(piece: Uint8Array): void {
    for (let from = 0; from < piece.length; ) {
      if (this.#free === 0) this.#addSlab()
      const slab = this.#slabs.at(-1)!
      const part = piece.subarray(from, from + this.#free)
      slab.set(part, slab.length - this.#free)
      this.#free -= part.length
      from += part.length
    }
    this.#size += piece.length
  }

  /** Everything that was added, in memory that nothing else uses, so that it can be moved to another thread. Nothing is left. */
  take(): Buffer<ArrayBuffer> {
    const joined = Buffer.from(new ArrayBuffer(this.#size))
    let at = 0
    for (const slab of this.#slabs) {
      at += slab.copy(joined, at)
      freeMemory(slab.buffer)
    }
    this.drop()
    return joined
  }

  /** Gives everything back that was not taken. */
  drop(): void {
    for (const { buffer } of this.#slabs) freeMemory(buffer)
    this.#slabs = []
    this.#free = 0
    this.#size = 0
  }

  #addSlab(): void {
    const slab = Buffer.from(new ArrayBuffer(this.#slabs.length === 0 ? FIRST_SLAB_BYTES : SLAB_BYTES))
    this.#slabs.push(slab)
    this.#free = slab.length
  }
}
