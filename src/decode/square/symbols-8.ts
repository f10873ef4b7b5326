import { makeMultiply } from './cantor-field.ts'

const multiply = makeMultiply({ bits: 8, polynomial: 0x11d, basis: [1, 214, 152, 146, 86, 200, 88, 230] })

/** Row c of 256 bytes: products of c with every element. */
const PRODUCTS = Uint8Array.from({ length: 65536 }, (_, at) => multiply(at >> 8, at & 255))

/** (low, high) -> (low + factor x high, that + high), a byte being an element. */
export function mixBytes(bytes: Uint8Array, low: number, high: number, size: number, factor: number): void {
  const row = factor << 8
  for (let i = 0; i < size; i++) {
    const value = bytes[high + i]!
    const sum = bytes[low + i]! ^ PRODUCTS[row | value]!
    bytes[low + i] = sum
    bytes[high + i] = sum ^ value
  }
}

/** The inverse of `mixBytes`. */
export function unmixBytes(bytes: Uint8Array, low: number, high: number, size: number, factor: number): void {
  const row = factor << 8
  for (let i = 0; i < size; i++) {
    const value = bytes[low + i]!
    const difference = bytes[high + i]! ^ value
    bytes[high + i] = difference
    bytes[low + i] = value ^ PRODUCTS[row | difference]!
  }
}
