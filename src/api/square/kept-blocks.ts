/** Txs of the blocks used last, within a number of bytes; the newest stays whatever its size. */
export class KeptBlocks {
  readonly #maxBytes: number
  readonly #blocks = new Map<string, Uint8Array[]>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(hash: string): Uint8Array[] | undefined {
    const txs = this.#blocks.get(hash)
    if (!txs) return undefined
    // To the end of the line: the map keeps the order in which its keys came.
    this.#blocks.delete(hash)
    this.#blocks.set(hash, txs)
    return txs
  }

  add(hash: string, txs: Uint8Array[]): void {
    this.#remove(hash)
    this.#blocks.set(hash, txs)
    this.#bytes += sizeOf(txs)
    for (const oldest of this.#blocks.keys()) {
      if (this.#bytes <= this.#maxBytes || oldest === hash) return
      this.#remove(oldest)
    }
  }

  #remove(hash: string): void {
    const txs = this.#blocks.get(hash)
    if (!txs) return
    this.#blocks.delete(hash)
    this.#bytes -= sizeOf(txs)
  }
}

function sizeOf(txs: Uint8Array[]): number {
  return txs.reduce((sum, tx) => sum + tx.length, 0)
}
