import { makeMultiply } from './cantor-field.ts'

/**
 * Elements of 16 bits. They do not lie side by side: of every 64 bytes of a shard, the first 32 are the low bytes of 32 elements and
 * the last 32 their high bytes.
 */
const GROUP = 64
const HIGH_BYTES = GROUP / 2

const BASIS = [
  0x0001, 0xacca, 0x3c0e, 0x163e, 0xc582, 0xed2e, 0x914c, 0x4012, 0x6c98, 0x10d8, 0x6a72, 0xb900, 0xfdb8, 0xfb34, 0xff38, 0x991e,
]

/** Made on first use: few blocks have a square that wide, and 512 data shards need 1 MB of tables. */
const tables: Uint16Array[] = []
let multiply: ReturnType<typeof makeMultiply> | undefined

/** Products of a factor with the elements that have a low byte only (at 0..255) and those that have a high byte only (at 256..511). */
function getTable(factor: number): Uint16Array {
  const known = tables[factor]
  if (known) return known
  multiply ??= makeMultiply({ bits: 16, polynomial: 0x1002d, basis: BASIS })
  const table = new Uint16Array(512)
  for (let bit = 0; bit < 16; bit++) {
    const [first, value] = bit < 8 ? [0, 1 << bit] : [256, 1 << (bit - 8)]
    const product = multiply(factor, 1 << bit)
    // The product of a sum is the sum of the products.
    for (let below = 0; below < value; below++) table[first + value + below] = table[first + below]! ^ product
  }
  tables[factor] = table
  return table
}

/** (low, high) -> (low + factor x high, that + high); `size` is a multiple of 64. */
export function mixPairs(bytes: Uint8Array, low: number, high: number, size: number, factor: number): void {
  const table = getTable(factor)
  for (let group = 0; group < size; group += GROUP) {
    for (let i = group; i < group + HIGH_BYTES; i++) {
      const value = bytes[high + i]!
      const valueHigh = bytes[high + i + HIGH_BYTES]!
      const product = table[value]! ^ table[256 | valueHigh]!
      const sum = bytes[low + i]! ^ (product & 255)
      const sumHigh = bytes[low + i + HIGH_BYTES]! ^ (product >> 8)
      bytes[low + i] = sum
      bytes[low + i + HIGH_BYTES] = sumHigh
      bytes[high + i] = sum ^ value
      bytes[high + i + HIGH_BYTES] = sumHigh ^ valueHigh
    }
  }
}

/** The inverse of `mixPairs`. */
export function unmixPairs(bytes: Uint8Array, low: number, high: number, size: number, factor: number): void {
  const table = getTable(factor)
  for (let group = 0; group < size; group += GROUP) {
    for (let i = group; i < group + HIGH_BYTES; i++) {
      const value = bytes[low + i]!
      const valueHigh = bytes[low + i + HIGH_BYTES]!
      const difference = bytes[high + i]! ^ value
      const differenceHigh = bytes[high + i + HIGH_BYTES]! ^ valueHigh
      const product = table[difference]! ^ table[256 | differenceHigh]!
      bytes[high + i] = difference
      bytes[high + i + HIGH_BYTES] = differenceHigh
      bytes[low + i] = value ^ (product & 255)
      bytes[low + i + HIGH_BYTES] = valueHigh ^ (product >> 8)
    }
  }
}
