import type { ShareProof } from './gen/operations.ts'
import type { VerifiedBlock } from './proof/block.ts'
import { type Bytes, equal, fromBase64 } from './proof/encoding.ts'
import { demand } from './proof/failure.ts'
import { findTx, type ProvenBlob, readBlob, verifyShares } from './proof/shares.ts'

export { hashValidators, type Trust, type VerifiedBlock, verifyBlock } from './proof/block.ts'
export { ProofError } from './proof/failure.ts'
export type { ProvenBlob } from './proof/shares.ts'

/**
 * The bytes of a tx that is proven to be in a verified block; of one that pays for blobs, without the blobs. `hash` is hex. Throws
 * ProofError.
 */
export async function verifyTx(proof: ShareProof, hash: string, block: Pick<VerifiedBlock, 'dataHash'>): Promise<Bytes> {
  const tx = await findTx(await verifyShares(proof, block.dataHash), hash)
  demand(tx, 'the proven shares do not hold the tx')
  return tx
}

/** A blob that is proven to be in a verified block: its content comes out of the proof itself. Throws ProofError. */
export async function verifyBlob(proof: ShareProof, block: Pick<VerifiedBlock, 'dataHash'>): Promise<ProvenBlob> {
  const blob = readBlob(await verifyShares(proof, block.dataHash))
  demand(equal(blob.namespace, fromBase64(proof.namespace)), 'the blob is of another namespace')
  return blob
}
