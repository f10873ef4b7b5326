import { type CantorField, makeMultiply } from '../cantor-field.ts'
import { kernelBytes } from './kernel.ts'

/**
 * Addresses of the tables that the butterflies take for a factor, 16 bytes each: for every byte of a product and every byte of an element
 * one for its low 4 bits and one for its high 4 bits. They are filled on first use.
 */
export function makeProductTables(field: CantorField, start: number): (factor: number) => number {
  const width = field.bits / 8
  const size = 32 * width * width
  const filled = new Uint8Array(2 ** field.bits)
  let multiply: ReturnType<typeof makeMultiply> | undefined

  function fill(factor: number, at: number): void {
    multiply ??= makeMultiply(field)
    const bytes = kernelBytes()
    for (let bit = 0; bit < field.bits; bit++) {
      const product = multiply(factor, 1 << bit)
      const column = Math.floor(bit / 4)
      const value = 1 << (bit % 4)
      for (let row = 0; row < width; row++) {
        const table = at + 16 * (2 * width * row + column)
        // The product of a sum is the sum of the products.
        for (let below = 0; below < value; below++) bytes[table + value + below] = bytes[table + below]! ^ (product >> (8 * row))
      }
    }
  }

  return (factor) => {
    const at = start + size * factor
    if (filled[factor] === 0) {
      fill(factor, at)
      filled[factor] = 1
    }
    return at
  }
}
