import { hash } from 'node:crypto'
import { ProofError } from '../../client/proof/failure.ts'
import { hashAtOnce } from '../../client/proof/hashing.ts'
import { type ProofOp, verifyStateProof } from '../../client/proof/state.ts'
import { keyOf, readValue, type StateRecord, type StateValue } from '../../client/proof/state-record.ts'
import { NodeFault } from '../../lib/errors.ts'

/**
 * Value of a record on the chain, proven up to `appHash`, which the header above the height has; undefined when it keeps nothing. A
 * proof that does not hold is a fault of the node that gave it.
 */
export function readProvenRecord(
  record: StateRecord,
  ops: readonly ProofOp[],
  { height, appHash }: { height: number; appHash: Uint8Array },
): { bytes: Uint8Array; value: StateValue } | undefined {
  try {
    const bytes = hashAtOnce(verifyStateProof(keyOf(record), ops, appHash), sha256)
    return bytes && { bytes, value: readValue(record, bytes) }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    throw new NodeFault('state_proof', `the proof of a ${record.kind} does not hold: ${error.message}`, { height, record }, error)
  }
}

function sha256(preimage: Uint8Array): Uint8Array {
  return hash('sha256', preimage, 'buffer')
}

/** The value alone. */
export function readProvenValue(...proof: Parameters<typeof readProvenRecord>): StateValue | undefined {
  return readProvenRecord(...proof)?.value
}

/** Nothing is as good as zero: the chain deletes what has become empty. */
export function isSameValue(a: StateValue | undefined, b: StateValue | undefined): boolean {
  if (!a || !b) return isEmpty(a) && isEmpty(b)
  const other = b as Record<string, unknown>
  return Object.entries(a).every(([field, value]) => value === other[field])
}

function isEmpty(value: StateValue | undefined): boolean {
  return !value || Object.values(value).every((part) => typeof part !== 'bigint' || part === 0n)
}
