import { mixBytes, unmixBytes } from './symbols-8.ts'
import { mixPairs, unmixPairs } from './symbols-16.ts'

/**
 * The erasure code of the extended square (Leopard). Data shard i is the value of a polynomial of degree below k at point k + i,
 * parity shard x its value at point x. Points and symbols are elements of a field in a Cantor basis (cantor-field.ts): of 8 bits
 * while the points 0..2k-1 fit into a byte, else of 16 bits.
 */

/** Data shards of a row of the 8-bit code. */
export const MAX_NARROW_SHARDS = 128

/** `count` shards, a power of two, of `shardSize` bytes, `stride` bytes apart. Wide rows need a shard size that is a multiple of 64. */
export type ShardLines = { count: number; shardSize: number; stride: number }

type Mix = (bytes: Uint8Array, low: number, high: number, size: number, factor: number) => void

/** Replaces the shards that start at `from` by their parity, with the code that the chain uses for so many. */
export function turnIntoParity(bytes: Uint8Array, from: number, lines: ShardLines): void {
  if (lines.count <= MAX_NARROW_SHARDS) turnBy(unmixBytes, mixBytes, bytes, from, lines)
  else turnIntoWideParity(bytes, from, lines)
}

/** The 16-bit code, which is defined for narrow rows too. */
export function turnIntoWideParity(bytes: Uint8Array, from: number, lines: ShardLines): void {
  turnBy(unmixPairs, mixPairs, bytes, from, lines)
}

/**
 * An additive FFT: k log k steps per symbol instead of k² for interpolation. Coefficients in the basis of subspace polynomials from
 * the values at k..2k-1, then the values at 0..k-1.
 */
function turnBy(unmix: Mix, mix: Mix, bytes: Uint8Array, from: number, { count, shardSize, stride }: ShardLines): void {
  for (let half = 1; half < count; half *= 2) {
    for (let block = 0; block < count; block += 2 * half) {
      const factor = getFactor(count + block, half)
      for (let i = block; i < block + half; i++) unmix(bytes, from + i * stride, from + (i + half) * stride, shardSize, factor)
    }
  }
  for (let half = count / 2; half >= 1; half /= 2) {
    for (let block = 0; block < count; block += 2 * half) {
      const factor = getFactor(block, half)
      for (let i = block; i < block + half; i++) mix(bytes, from + i * stride, from + (i + half) * stride, shardSize, factor)
    }
  }
}

/** The polynomial that is zero on points 0..half-1, at `point`: in a Cantor basis it drops the low bits and shifts the others down. */
function getFactor(point: number, half: number): number {
  return Math.floor(point / half)
}
