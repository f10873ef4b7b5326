import type { SquareBlob } from '../../decode/square/shares.ts'
import { toSquareTx } from '../../decode/square/square-tx.ts'
import { equalBytes, toHex } from '../../lib/encoding/bytes.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Client } from '../../lib/turn-queue.ts'
import { positionOf } from '../../store/pack/id.ts'
import type { BlobKey } from '../../store/read/blob.ts'
import { blockOfBlob } from './block-ref.ts'
import type { BlockStore } from './block-store.ts'
import { readProven } from './inclusion.ts'
import { squareThread } from './thread.ts'

const reading = new SingleFlight<SquareBlob>()

/** The blob of an indexed row, taken from its block; the commitment is computed again before anyone sees it. */
export function readBlob(blocks: BlockStore, height: number, key: BlobKey, client: Client): Promise<SquareBlob> {
  const { block_hash, tx_id, position, version_app, commitment } = key
  const block = blockOfBlob(height, key)
  return reading.run(`${toHex(block_hash)} ${tx_id} ${position}`, () =>
    readProven(blocks, { block, client }, async (txs) => {
      const bytes = txs[positionOf(tx_id)]
      const blob = bytes && toSquareTx(bytes, version_app).blobs[position]
      return blob && equalBytes(await squareThread.run('commitment', blob, client), commitment) ? blob : undefined
    }),
  )
}
