import { countBlobShares, SHARE_SIZE } from '../decode/square/share-counts.ts'
import type { Dec } from '../types/facts.ts'

/** Fixed by the protocol since app 3; governance never changed it before. */
const GAS_PER_BLOB_BYTE = 8

const ONE: Dec = 10n ** 18n

type SizedBlob = { sizeBytes: number; shareVersion: number }

/**
 * Splits the fee of a tx over its blobs: each carries the gas of its shares, the rest of the gas is the same for all. The last one
 * takes what rounding leaves, so that the parts sum up to the fee exactly. `countsSigner`: whether the chain charged for its room.
 */
export function splitFee(feeUtia: bigint, gasUsed: bigint, blobs: readonly SizedBlob[], countsSigner = true): Dec[] {
  const fee = feeUtia * ONE
  if (blobs.length === 1) return [fee]
  const gas = blobs.map(({ sizeBytes, shareVersion }) =>
    BigInt(countBlobShares(sizeBytes, countsSigner ? shareVersion : 0) * SHARE_SIZE * GAS_PER_BLOB_BYTE),
  )
  const blobGas = gas.reduce((sum, part) => sum + part, 0n)
  // A node that reports less gas than the shares alone cost leaves no rest to spread.
  const rest = gasUsed > blobGas ? gasUsed - blobGas : 0n
  const count = BigInt(blobs.length)
  let left = fee
  return gas.map((part, i) => {
    const share = i === gas.length - 1 ? left : (fee * (part * count + rest)) / ((blobGas + rest) * count)
    left -= share
    return share
  })
}
