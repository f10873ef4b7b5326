import { type Bytes, equal } from './encoding.ts'
import { demand } from './failure.ts'
import type { Hashing } from './hashing.ts'
import { decodeCommitmentProof } from './ics23/decode.ts'
import { IAVL, SIMPLE } from './ics23/spec.ts'
import { verifyExistence, verifyNonExistence } from './ics23/verify.ts'
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
