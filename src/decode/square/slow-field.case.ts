/** The fields of the erasure codes by their definition, without tables of products: what the fast code is checked against. */
export type SlowField = { toField: number[]; multiply: (a: number, b: number) => number; invert: (a: number) => number }

const POLYNOMIALS = { 8: 0x11d, 16: 0x1002d }

/** The basis is derived: it starts with 1, and each element is a root of x² + x = the one before. */
export function makeSlowField(bits: 8 | 16): SlowField {
  const top = 2 ** (bits - 1)
  const multiply = (a: number, b: number) => {
    let product = 0
    for (let bit = bits - 1; bit >= 0; bit--) {
      product = (product & top ? (product << 1) ^ POLYNOMIALS[bits] : product << 1) ^ (b & (1 << bit) ? a : 0)
    }
    return product
  }
  const invert = (a: number) => {
    let power = 1
    for (let square = multiply(a, a), i = 1; i < bits; i++, square = multiply(square, square)) power = multiply(power, square)
    return power
  }
  const basis = [1]
  while (basis.length < bits) {
    // Of the two roots x and x + 1 the code takes the even one.
    for (let x = 0; ; x += 2) {
      if ((multiply(x, x) ^ x) === basis.at(-1)) {
        basis.push(x)
        break
      }
    }
  }
  const toField = Array.from({ length: 2 ** bits }, (_, value) =>
    basis.reduce((sum, element, bit) => (value & (1 << bit) ? sum ^ element : sum), 0),
  )
  return { toField, multiply, invert }
}

/** Lagrange: the value at `at` of the polynomial that has these values at these points. */
export function interpolate({ multiply, invert }: SlowField, points: number[], values: number[], at: number): number {
  let sum = 0
  for (const [i, point] of points.entries()) {
    let above = values[i]!
    let below = 1
    for (const [j, other] of points.entries()) {
      if (j === i) continue
      above = multiply(above, at ^ other)
      below = multiply(below, point ^ other)
    }
    sum ^= multiply(above, invert(below))
  }
  return sum
}

/** Symbol `index` of the shard at `from`: of each 64 bytes 32 low ones and then 32 high ones. */
export function readSymbol(bytes: Uint8Array, from: number, index: number): number {
  const at = from + 64 * (index >> 5) + (index & 31)
  return bytes[at]! | (bytes[at + 32]! << 8)
}

export function writeSymbol(bytes: Uint8Array, from: number, index: number, symbol: number): void {
  const at = from + 64 * (index >> 5) + (index & 31)
  bytes[at] = symbol & 255
  bytes[at + 32] = symbol >> 8
}
