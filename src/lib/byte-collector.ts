import { freeMemory } from './free-memory.ts'

const SLAB_BYTES = 2 ** 20

/**
 * Joins pieces to one buffer without holding all of them twice: a megabyte of pieces becomes a slab, and each slab is given back as
 * soon as it is copied.
 */
export class ByteCollector {
  #slabs: Buffer<ArrayBuffer>[] = []
  #pieces: Uint8Array[] = []
  #pieceBytes = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#pieceBytes += piece.length
    this.#size += piece.length
    if (this.#pieceBytes >= SLAB_BYTES) this.#slabs.push(this.#joinPieces())
  }

  /** Everything that was added, in memory that nothing else uses, so that it can be moved to another thread. Nothing is left. */
  take(): Buffer<ArrayBuffer> {
    const rest = this.#joinPieces()
    if (this.#slabs.length === 0) return rest
    const joined = Buffer.from(new ArrayBuffer(this.#size))
    let at = 0
    for (const slab of [...this.#slabs, rest]) {
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
    this.#pieces = []
    this.#pieceBytes = 0
    this.#size = 0
  }

  #joinPieces(): Buffer<ArrayBuffer> {
    const joined = Buffer.from(new ArrayBuffer(this.#pieceBytes))
    let at = 0
    for (const piece of this.#pieces) {
      joined.set(piece, at)
      at += piece.length
    }
    this.#pieces = []
    this.#pieceBytes = 0
    return joined
  }
}
