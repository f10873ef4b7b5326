import { toHex, toHexUpper } from '../../lib/encoding/bytes.ts'
import type { BlobKey } from '../../store/read/blob.ts'
import type { BlockSeal } from '../../store/read/proof.ts'

/** An indexed block: a height alone may stand for another one after a fork. */
export type BlockRef = {
  height: number
  /** lower-case hex; names its network too */
  hash: string
  /** bytes of its txs */
  bytes: number
  /** root of its square, upper-case hex: its txs are those whose square has it */
  dataHash: string
  versionApp: number
}

export function toBlockRef({ height, hash, data_hash, version_app, bytes_in_block }: BlockSeal): BlockRef {
  return {
    height,
    hash: toHex(hash),
    bytes: bytes_in_block,
    dataHash: toHexUpper(data_hash),
    versionApp: version_app,
  }
}

/** The block that holds a blob. */
export function blockOfBlob(height: number, { block_hash, block_bytes, data_hash, version_app }: BlobKey): BlockRef {
  return toBlockRef({ height, hash: block_hash, bytes_in_block: block_bytes, data_hash, version_app })
}
