/** GF(2^bits) whose elements are written in a Cantor basis: bit j stands for `basis[j]`, each of which is x² + x of the next. */
export type CantorField = {
  bits: number
  /** of the field in the usual form, with its leading bit */
  polynomial: number
  basis: readonly number[]
}

/** Products of numbers in that form. For filling tables: it takes a step per bit. */
export function makeMultiply({ bits, polynomial, basis }: CantorField): (a: number, b: number) => number {
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
