import { type ButterflyName, kernel, NARROW_TABLES, reserve, WIDE_TABLES } from './simd/kernel.ts'
import { makeProductTables } from './simd/product-tables.ts'

/**
 * The erasure code of the extended square (Leopard). Data shard i is the value of a polynomial of degree below k at point k + i,
 * parity shard x its value at point x. Points and symbols are elements of a field in a Cantor basis (cantor-field.ts): of 8 bits
 * while the points 0..2k-1 fit into a byte, else of 16 bits. Elements of 16 bits do not lie side by side: of every 64 bytes of a
 * shard, the first 32 are the low bytes of 32 elements and the last 32 their high bytes.
 */

/** Data shards of a row of the 8-bit code. */
export const MAX_NARROW_SHARDS = 128

/** `count` shards, a power of two, of `shardSize` bytes, `stride` bytes apart. Wide rows need a shard size that is a multiple of 64. */
export type ShardLines = { count: number; shardSize: number; stride: number }

type Code = { mix: ButterflyName; unmix: ButterflyName; tableOf: (factor: number) => number }

const NARROW: Code = {
  mix: 'mixBytes',
  unmix: 'unmixBytes',
  tableOf: makeProductTables({ bits: 8, polynomial: 0x11d, basis: [1, 214, 152, 146, 86, 200, 88, 230] }, NARROW_TABLES),
}
const WIDE_BASIS = [
  0x0001, 0xacca, 0x3c0e, 0x163e, 0xc582, 0xed2e, 0x914c, 0x4012, 0x6c98, 0x10d8, 0x6a72, 0xb900, 0xfdb8, 0xfb34, 0xff38, 0x991e,
]
const WIDE: Code = {
  mix: 'mixPairs',
  unmix: 'unmixPairs',
  tableOf: makeProductTables({ bits: 16, polynomial: 0x1002d, basis: WIDE_BASIS }, WIDE_TABLES),
}
/** The kernel works on vectors of so many bytes. */
const VECTOR = 16

/** Replaces the shards that start at `from` by their parity, with the code that the chain uses for so many. */
export function turnIntoParity(bytes: Uint8Array, from: number, lines: ShardLines): void {
  turnCopy(codeFor(lines.count), bytes, from, lines)
}

/** The 16-bit code, which is defined for narrow rows too. */
export function turnIntoWideParity(bytes: Uint8Array, from: number, lines: ShardLines): void {
  turnCopy(WIDE, bytes, from, lines)
}

/** Encodes shards that lie side by side in the memory of the kernel. */
export function turnKernelShards(at: number, count: number, shardSize: number): void {
  turn(codeFor(count), at, count, shardSize)
}

function codeFor(count: number): Code {
  return count <= MAX_NARROW_SHARDS ? NARROW : WIDE
}

function turnCopy(code: Code, target: Uint8Array, from: number, { count, shardSize, stride }: ShardLines): void {
  const paddedSize = Math.ceil(shardSize / VECTOR) * VECTOR
  const {
    bytes,
    at: [start],
  } = reserve(count * paddedSize)
  for (let i = 0; i < count; i++) {
    const at = from + i * stride
    bytes.set(target.subarray(at, at + shardSize), start + i * paddedSize)
  }
  turn(code, start, count, paddedSize)
  for (let i = 0; i < count; i++) {
    const at = start + i * paddedSize
    target.set(bytes.subarray(at, at + shardSize), from + i * stride)
  }
}

/**
 * An additive FFT: k log k steps per symbol instead of k² for interpolation. Coefficients in the basis of subspace polynomials from
 * the values at k..2k-1, then the values at 0..k-1. The pairs of one block have one factor and lie side by side: they are one call.
 */
function turn(code: Code, start: number, count: number, shardSize: number): void {
  const { [code.mix]: mix, [code.unmix]: unmix } = kernel()
  for (let half = 1; half < count; half *= 2) {
    for (let block = 0; block < count; block += 2 * half) {
      const low = start + block * shardSize
      unmix(low, low + half * shardSize, half * shardSize, code.tableOf(getFactor(count + block, half)))
    }
  }
  for (let half = count / 2; half >= 1; half /= 2) {
    for (let block = 0; block < count; block += 2 * half) {
      const low = start + block * shardSize
      mix(low, low + half * shardSize, half * shardSize, code.tableOf(getFactor(block, half)))
    }
  }
}

/** The polynomial that is zero on points 0..half-1, at `point`: in a Cantor basis it drops the low bits and shifts the others down. */
function getFactor(point: number, half: number): number {
  return Math.floor(point / half)
}
