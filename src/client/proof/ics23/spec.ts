import { type Bytes, startsWith } from '../encoding.ts'
import { demand } from '../failure.ts'
import { HashOp } from '../hashing.ts'
import { checkIavlOp, checkSimpleInner } from './layout.ts'
import type { ExistenceProof, InnerOp, LeafOp } from './ops.ts'

/** Where the children stand in an inner node: each has `childSize` bytes, all stand behind a prefix of bounded length. */
export type InnerSpec = {
  hash: number
  childOrder: readonly number[]
  childSize: number
  minPrefixLength: number
  maxPrefixLength: number
  emptyChild: Bytes
}

/** Form of every proof of a kind of tree: without it an inner node could pass for a leaf, and a leaf for another. */
export type ProofSpec = {
  leaf: LeafOp
  inner: InnerSpec
  minDepth: number
  maxDepth: number
  /** Trees whose nodes are known to the byte. */
  layout?: 'iavl' | 'simple'
}

const NOTHING = new Uint8Array()
const LEAF: LeafOp = {
  hash: HashOp.sha256,
  prehashKey: HashOp.none,
  prehashValue: HashOp.sha256,
  length: 1,
  prefix: Uint8Array.of(0),
}
const BINARY = { hash: HashOp.sha256, childOrder: [0, 1], emptyChild: NOTHING }
/** More than any tree has: an iavl tree of this depth would hold more keys than there are atoms. */
const MAX_DEPTH = 128

/** The tree in which a module keeps its state. */
export const IAVL: ProofSpec = {
  leaf: LEAF,
  inner: { ...BINARY, childSize: 33, minPrefixLength: 4, maxPrefixLength: 12 },
  minDepth: 0,
  maxDepth: MAX_DEPTH,
  layout: 'iavl',
}

/** The tree over the roots of all modules. */
export const SIMPLE: ProofSpec = {
  leaf: LEAF,
  inner: { ...BINARY, childSize: 32, minPrefixLength: 1, maxPrefixLength: 1 },
  minDepth: 0,
  maxDepth: MAX_DEPTH,
  layout: 'simple',
}

export function checkProof({ leaf, path }: ExistenceProof, spec: ProofSpec): void {
  demand(leaf, 'the proof has no leaf')
  checkLeaf(leaf, spec)
  demand(path.length >= spec.minDepth && path.length <= spec.maxDepth, `the leaf lies ${path.length} nodes deep`)
  for (const [i, op] of path.entries()) checkInner(op, spec, i + 1)
}

export function checkLeaf(op: LeafOp, { leaf: spec, layout }: Pick<ProofSpec, 'leaf' | 'layout'>): void {
  if (layout === 'iavl') checkIavlOp(op.prefix, 0)
  if (layout === 'simple') demand(op.prefix.length === spec.prefix.length, 'the prefix of a leaf has more than its mark')
  demand(op.hash === spec.hash, 'a leaf is hashed with another function')
  demand(op.prehashKey === spec.prehashKey && op.prehashValue === spec.prehashValue, 'key or value are prepared in another way')
  demand(op.length === spec.length, 'the lengths of key and value are written in another way')
  demand(startsWith(op.prefix, spec.prefix), 'a leaf begins as no leaf does')
}

/** `layer` counts from the leaf, which is 0. */
function checkInner(op: InnerOp, { leaf, inner, layout }: ProofSpec, layer: number): void {
  demand(op.hash === inner.hash, 'an inner node is hashed with another function')
  if (layout === 'iavl') checkIavlOp(op.prefix, layer)
  if (layout === 'simple') checkSimpleInner(op)
  demand(!startsWith(op.prefix, leaf.prefix), 'an inner node begins as a leaf does')
  const maxPrefix = inner.maxPrefixLength + (inner.childOrder.length - 1) * inner.childSize
  demand(op.prefix.length >= inner.minPrefixLength && op.prefix.length <= maxPrefix, 'the prefix of a node has a wrong length')
  demand(inner.childSize > 0 && op.suffix.length % inner.childSize === 0, 'the suffix of a node has a wrong length')
}
