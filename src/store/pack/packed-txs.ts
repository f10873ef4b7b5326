/** The txs of a block as one value: each with its length (4 bytes, big-endian) before it. */
export function packTxs(txs: readonly Uint8Array[]): Buffer {
  const packed = Buffer.allocUnsafe(txs.reduce((sum, tx) => sum + 4 + tx.length, 0))
  let at = 0
  for (const tx of txs) {
    at = packed.writeUInt32BE(tx.length, at)
    packed.set(tx, at)
    at += tx.length
  }
  return packed
}

/** Views into `packed`. */
export function unpackTxs(packed: Uint8Array): Uint8Array[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length)
  const txs: Uint8Array[] = []
  for (let at = 0; at < packed.length; ) {
    const length = view.getUint32(at)
    txs.push(packed.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return txs
}
