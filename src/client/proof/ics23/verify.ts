import { compareBytes, equal } from '../encoding.ts'
import { demand } from '../failure.ts'
import type { Hashing } from '../hashing.ts'
import { areNeighbours, isLeftmost, isRightmost } from './neighbours.ts'
import { computeRoot, type ExistenceProof, type NonExistenceProof } from './ops.ts'
import { checkProof, type ProofSpec } from './spec.ts'

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
