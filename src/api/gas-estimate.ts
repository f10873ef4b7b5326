/** Gas of a PayForBlobs by the chain's own formula (docs/rules.md R38). */

const FIXED_COST = 75_000
/** Bytes that one more blob adds to the tx. */
const BYTES_PER_BLOB_INFO = 70
const SHARE_SIZE = 512
const CONTINUATION_CONTENT = 482
const FIRST_CONTENT = [478, 458] as const

export type BlobShape = { size: number; shareVersion: 0 | 1 }

export function estimatePfbGas(blobs: BlobShape[], costs: { txByteCost: number; blobByteGas: number }): number {
  const shares = blobs.reduce((sum, blob) => sum + countShares(blob), 0)
  return FIXED_COST + costs.txByteCost * BYTES_PER_BLOB_INFO * blobs.length + shares * SHARE_SIZE * costs.blobByteGas
}

/** Share version 1 spends 20 bytes of the first share on the signer. */
function countShares({ size, shareVersion }: BlobShape): number {
  if (size === 0) return 0
  const rest = size - FIRST_CONTENT[shareVersion]
  return rest <= 0 ? 1 : 1 + Math.ceil(rest / CONTINUATION_CONTENT)
}
