import { toSquareTx } from '../../decode/square/square-tx.ts'
import type { BlockFacts } from '../../types/block-facts.ts'
import type { ChainBlock } from '../../types/chain.ts'
import { writeBlobFile } from './blob-file.ts'

/** What came of keeping the blobs of some blocks; `error` is the reason why some are not kept. */
export type KeptBlobs = { bytes: number; error?: string }

/**
 * Keeps the contents of a block's blobs. It happens before the block is committed, so an indexed blob is there from the first moment.
 * A full or unwritable disk does not stop the index: without the file a reader asks the chain.
 */
export function keepBlobs(folder: string, { height, versionApp, txs }: ChainBlock, facts: BlockFacts): KeptBlobs {
  let bytes = 0
  try {
    for (const tx of facts.txs) {
      if (tx.blobs.length === 0) continue
      const { blobs } = toSquareTx(txs[tx.position]!, versionApp)
      for (const { index, commitment } of tx.blobs) {
        const blob = blobs[index]
        if (blob) bytes += writeBlobFile(folder, height, commitment, blob)
      }
    }
    return { bytes }
  } catch (error) {
    return { bytes, error: (error as Error).message }
  }
}
