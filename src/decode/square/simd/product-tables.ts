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

/** GF(2^bits) whose elements are written in a Cantor basis: bit j stands for `basis[j]`, each of which is x² + x of the next. */
type CantorField = {
  bits: number
  /** of the field in the usual form, with its leading bit */
  polynomial: number
  basis: readonly number[]
}

/** Products of numbers in that form. For filling tables: it takes a step per bit. */
function makeMultiply({ bits, polynomial, basis }: CantorField): (a: number, b: number) => number {
  const toField = new Uint16Array(2 ** bits)
  const fromField = new Uint16Array(2 ** bits)
  for (let value = 0; value < 2 ** bits; value++) {
    const element = basis.reduce((sum, part, bit) => (value & (1 << bit) ? sum ^ part : sum), 0)
    toField[value] = element
    fromField[element] = value
  }
  return (a, b) => {
    let product = 0
    let shifted = toField[a]!
    for (let rest = toField[b]!; rest > 0; rest >>= 1) {
      if (rest & 1) product ^= shifted
      shifted <<= 1
      if (shifted >> bits) shifted ^= polynomial
    }
    return fromField[product]!
  }
}
