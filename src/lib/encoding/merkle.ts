import { hash } from 'node:crypto'

// crypto.hash with a text encoding costs 0.4 µs against 1.4 µs with a Buffer result and 2.1 µs with createHash (Node 20.20),
// so digests travel as 32-character binary strings inside the tree.
export type Digest = string

const inner = Buffer.alloc(65)
inner[0] = 1
let leafScratch = Buffer.alloc(1024)
/** Beginnings of small leaves' memory, by length: making a view costs as much as hashing what it shows. */
const smallLeaf = Buffer.alloc(257)
const smallViews = Array.from({ length: smallLeaf.length + 1 }, (_, length) => smallLeaf.subarray(0, length))

/** Root of the tree of RFC 6962 over `leaves`, as upper-case hex. No leaves give the hash of nothing. */
export function computeMerkleRoot(leaves: readonly Uint8Array[]): string {
  return foldLeaves(leaves.map(hashLeaf))
}

/** Root of leaf hashes, for callers that write each leaf into one scratch buffer. */
export function foldLeaves(digests: readonly Digest[]): string {
  const root = digests.length === 0 ? hash('sha256', '', 'binary') : foldDigests(digests, 0, digests.length)
  return Buffer.from(root, 'binary').toString('hex').toUpperCase()
}

export function hashLeaf(leaf: Uint8Array): Digest {
  const size = leaf.length + 1
  const view = smallViews[size] ?? viewScratch(size)
  view[0] = 0
  view.set(leaf, 1)
  return hash('sha256', view, 'binary')
}

function viewScratch(size: number): Buffer {
  if (size > leafScratch.length) leafScratch = Buffer.alloc(size * 2)
  return leafScratch.subarray(0, size)
}

function foldDigests(digests: readonly Digest[], from: number, to: number): Digest {
  const count = to - from
  if (count === 1) return digests[from] as Digest
  const middle = from + largestPowerBelow(count)
  const left = foldDigests(digests, from, middle)
  const right = foldDigests(digests, middle, to)
  inner.write(left, 1, 'binary')
  inner.write(right, 33, 'binary')
  return hash('sha256', inner, 'binary')
}

function largestPowerBelow(count: number): number {
  return 2 ** (31 - Math.clz32(count - 1))
}
