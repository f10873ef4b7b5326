import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { turnIntoWideParity } from './reed-solomon.ts'

/**
 * SHA-256 of the parity that another implementation of the 16-bit code publishes in its tests (the Rust crate reed-solomon-simd).
 * Its data is the key stream of ChaCha8 whose key is 32 times the seed.
 */
const VECTORS = [
  { count: 2, shardSize: 1024, seed: 122, parity: '7d53725125394f5913300b40f09055bb75e6335a936305070da3707c9211dd26' },
  { count: 4, shardSize: 1024, seed: 144, parity: 'df2c520f15464bfe3448ebbbfbb6bfc2f64237a7a20cfa65bc6f1046e97470d2' },
  { count: 8, shardSize: 1024, seed: 188, parity: 'b8da62e75f305a59128b2257162605e541fd252aca8f74ceb2a91fb2a3276d6e' },
  { count: 32768, shardSize: 64, seed: 11, parity: '432025ead0e3f432f74e30500076a8c2b5554f5dfb7767b62fc3a8126eef7389' },
]

for (const { count, shardSize, seed, parity } of VECTORS) {
  test(`${count} shards of ${shardSize} bytes get the published parity`, () => {
    const bytes = makeKeyStream(seed, count * shardSize)
    turnIntoWideParity(bytes, 0, { count, shardSize, stride: shardSize })
    assert.equal(hash('sha256', bytes), parity)
  })
}

function makeKeyStream(seed: number, length: number): Uint8Array {
  const words = new Uint32Array(length / 4)
  const key = seed * 0x01010101
  const start = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...Array<number>(8).fill(key), 0, 0, 0, 0]
  for (let block = 0; block * 16 < words.length; block++) {
    start[12] = block
    const state = Uint32Array.from(start)
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < 4; i++) stir(state, i, 4 + i, 8 + i, 12 + i)
      for (let i = 0; i < 4; i++) stir(state, i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4))
    }
    for (let i = 0; i < 16; i++) words[block * 16 + i] = state[i]! + start[i]!
  }
  return new Uint8Array(words.buffer)
}

/** The quarter round of ChaCha. */
function stir(state: Uint32Array, a: number, b: number, c: number, d: number): void {
  for (const [sum, part, target, bits] of [
    [a, b, d, 16],
    [c, d, b, 12],
    [a, b, d, 8],
    [c, d, b, 7],
  ] as const) {
    state[sum]! += state[part]!
    const mixed = state[target]! ^ state[sum]!
    state[target] = (mixed << bits) | (mixed >>> (32 - bits))
  }
}
