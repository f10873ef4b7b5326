/** Namespaces are 29 bytes: version (1) and id (28). The ones below are fixed by the chain. */
export const NAMESPACE_SIZE = 29

export const TX_NAMESPACE = makePrimaryReserved(1)
export const PAY_FOR_BLOB_NAMESPACE = makePrimaryReserved(4)
export const PAY_FOR_FIBRE_NAMESPACE = makePrimaryReserved(5)
export const PRIMARY_PADDING_NAMESPACE = makePrimaryReserved(255)
export const TAIL_PADDING_NAMESPACE = makeSecondaryReserved(254)
export const PARITY_NAMESPACE = makeSecondaryReserved(255)

function makePrimaryReserved(lastByte: number): Uint8Array {
  const namespace = new Uint8Array(NAMESPACE_SIZE)
  namespace[NAMESPACE_SIZE - 1] = lastByte
  return namespace
}

function makeSecondaryReserved(lastByte: number): Uint8Array {
  const namespace = new Uint8Array(NAMESPACE_SIZE).fill(255)
  namespace[NAMESPACE_SIZE - 1] = lastByte
  return namespace
}

/** Byte order, as the square sorts blobs. A loop: for 29 bytes it is cheaper than the call into `Buffer.compare`. */
export function compareNamespaces(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < NAMESPACE_SIZE; i++) {
    const difference = a[i]! - b[i]!
    if (difference !== 0) return difference
  }
  return 0
}
