import { type Bytes, compareBytes, equal } from './encoding.ts'
import { demand } from './failure.ts'
import type { Hashing } from './hashing.ts'
import { decodeCommitmentProof } from './ics23/decode.ts'
import { areNeighbours, isLeftmost, isRightmost } from './ics23/neighbours.ts'
import { computeRoot, type ExistenceProof, type NonExistenceProof } from './ics23/ops.ts'
import { checkProof, IAVL, type ProofSpec, SIMPLE } from './ics23/spec.ts'
import type { StateKey } from './state-record.ts'

/** One step of a proof as a node gives it with `abci_query`. */
export type ProofOp = { type: string; key: Bytes; data: Bytes }

/**
 * The bytes that the state has under a key, or undefined when it has no such key, after every step up to `appHash` was done: from the
 * record to the root of its store, and from there to the root over all stores. The header **above** a height has the `appHash` of the
 * state after it. Throws ProofError.
 */
export function* verifyStateProof(
  { store, key }: StateKey,
  ops: readonly ProofOp[],
  appHash: Uint8Array,
): Hashing<Bytes | undefined> {
  const [inStore, inState] = ops
  demand(inStore && inState && ops.length === 2, 'a proof of state has two steps')
  demand(inStore.type === 'ics23:iavl' && inState.type === 'ics23:simple', 'a step of the proof is of an unknown kind')
  const storeKey = new TextEncoder().encode(store)
  demand(equal(inStore.key, key) && equal(inState.key, storeKey), 'a step of the proof names another key')
  const upper = decodeCommitmentProof(inState.data)
  demand('exist' in upper, 'the state has no such store')
  yield* verifyExistence(upper.exist, { spec: SIMPLE, root: appHash, key: storeKey })
  const lower = decodeCommitmentProof(inStore.data)
  const place = { spec: IAVL, root: upper.exist.value, key }
  if ('exist' in lower) {
    yield* verifyExistence(lower.exist, place)
    return lower.exist.value
  }
  yield* verifyNonExistence(lower.nonexist, place)
  return undefined
}

/** Proves that the tree with this root has the key with the value of the proof. Throws ProofError. */
export function* verifyExistence(
  proof: ExistenceProof,
  { spec, root, key }: { spec: ProofSpec; root: Uint8Array; key: Uint8Array },
): Hashing<void> {
  checkProof(proof, spec)
  demand(equal(proof.key, key), 'the proof is about another key')
  demand(equal(yield* computeRoot(proof), root), 'the proof leads to another root')
}

/** Proves that the tree with this root does not have the key. Throws ProofError. */
export function* verifyNonExistence(
  proof: NonExistenceProof,
  { spec, root, key }: { spec: ProofSpec; root: Uint8Array; key: Uint8Array },
): Hashing<void> {
  const { left, right } = proof
  demand(equal(proof.key, key), 'the proof is about another key')
  demand(left || right, 'the proof has no neighbour')
  for (const neighbour of [left, right]) if (neighbour) yield* verifyExistence(neighbour, { spec, root, key: neighbour.key })
  demand(!left || compareBytes(left.key, key) < 0, 'the left neighbour is not left of the key')
  demand(!right || compareBytes(key, right.key) < 0, 'the right neighbour is not right of the key')
  if (left && right) demand(areNeighbours(spec.inner, left.path, right.path), 'there is a leaf between the two neighbours')
  else if (left) demand(isRightmost(spec.inner, left.path), 'there is a leaf right of the left neighbour')
  else demand(isLeftmost(spec.inner, right!.path), 'there is a leaf left of the right neighbour')
}
