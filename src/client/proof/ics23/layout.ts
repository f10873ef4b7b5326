import { equal } from '../encoding.ts'
import { demand } from '../failure.ts'
import type { InnerOp } from './ops.ts'

/**
 * A node of an iavl tree begins with height, size and version as signed varints. Behind them an inner node has the length of its left
 * child, and where the way comes from the right that child and the length of the right one.
 */
export function checkIavlOp(prefix: Uint8Array, layer: number): void {
  let at = 0
  const numbers: bigint[] = []
  for (let i = 0; i < 3; i++) {
    const { value, end } = readSignedVarint(prefix, at)
    numbers.push(value)
    at = end
  }
  const [height, size, version] = numbers as [bigint, bigint, bigint]
  demand(height >= BigInt(layer) && size >= 0n && version >= 0n, `a node says that its height is ${height} in layer ${layer}`)
  const rest = prefix.length - at
  if (layer === 0) demand(height === 0n && rest === 0, 'the prefix of a leaf is that of another node')
  else demand(rest === 1 || rest === 34, 'the prefix of an inner node holds something else than its left child')
}

const INNER = Uint8Array.of(1)
const HASH_SIZE = 32

/** An inner node of the simple tree is a mark and two hashes, of which one is the child. */
export function checkSimpleInner({ prefix, suffix }: InnerOp): void {
  demand(equal(prefix.subarray(0, 1), INNER), 'an inner node has another mark')
  const known = prefix.length - 1 + suffix.length
  demand(known === HASH_SIZE && (suffix.length === 0 || prefix.length === 1), 'an inner node has not one hash beside its child')
}

/** Zigzag varint of at most 63 bits in as few bytes as it needs. */
function readSignedVarint(bytes: Uint8Array, at: number): { value: bigint; end: number } {
  let value = 0n
  for (let i = 0; ; i++) {
    const byte = bytes[at + i]
    demand(byte !== undefined && i < 9, 'the prefix of a node ends within a number')
    value |= BigInt(byte & 127) << BigInt(7 * i)
    if (byte >= 128) continue
    demand(byte > 0 || i === 0, 'a number in the prefix of a node has more bytes than it needs')
    return { value: (value >> 1n) ^ -(value & 1n), end: at + i + 1 }
  }
}
