/** Adds the signatures of a block to the counts of validators: bit i of the bitmap is validator i. */
export function addSigners(counts: Map<number, number>, bitmap: Uint8Array): void {
  bitmap.forEach((byte, at) => {
    for (let bit = 0; bit < 8; bit++) {
      if ((byte & (1 << bit)) === 0) continue
      const id = at * 8 + bit
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  })
}
