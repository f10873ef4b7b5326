/** Txs copied once into memory that all threads see, so that a block goes to a thread as often as it is asked for. */
export function shareTxs(txs: readonly Uint8Array[]): Uint8Array[] {
  const memory = new SharedArrayBuffer(txs.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  return txs.map((bytes) => {
    const copy = new Uint8Array(memory, end, bytes.length)
    copy.set(bytes)
    end += bytes.length
    return copy
  })
}
