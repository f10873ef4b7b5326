import type { RangeProof } from '../../decode/square/nmt.ts'
import type { SquareBlob } from '../../decode/square/shares.ts'
import { toSquareTx } from '../../decode/square/square-tx.ts'
import { equalBytes } from '../../lib/bytes.ts'
import { Invariant } from '../../lib/errors.ts'
import { positionOf } from '../../store/pack/id.ts'
import type { BlobKey } from '../../store/read/blob.ts'
import { BadRequest } from '../http/errors.ts'
import type { BlockStore } from './block-store.ts'
import { squareThread } from './thread.ts'

/** The blob of an indexed row, kept by the indexer or taken from its block; the commitment is computed again before anyone sees it. */
export async function readBlob(blocks: BlockStore, height: number, key: BlobKey): Promise<SquareBlob> {
  const kept = await blocks.blob?.(height, key.commitment)
  if (kept) return kept
  const txs = await requireTxs(blocks, height)
  const blob = takeBlob(txs, key)
  if (!equalBytes(await squareThread.run('commitment', blob), key.commitment))
    throw new Invariant('blob_content', 'the source of blocks gave a blob that does not match its commitment', { height })
  return blob
}

/** One proof per row of the square that the blob touches. */
export async function proveBlob(blocks: BlockStore, height: number, key: BlobKey): Promise<RangeProof[]> {
  const txs = await requireTxs(blocks, height)
  return squareThread.run('proofs', { txs, versionApp: key.version_app, tx: positionOf(key.tx_id), index: key.position })
}

function takeBlob(txs: Uint8Array[], key: BlobKey): SquareBlob {
  const bytes = txs[positionOf(key.tx_id)]
  const blob = bytes && toSquareTx(bytes, key.version_app).blobs[key.position]
  if (!blob) throw new Invariant('blob_content', 'the source of blocks gave a block without the indexed blob')
  return blob
}

async function requireTxs(blocks: BlockStore, height: number): Promise<Uint8Array[]> {
  const txs = await blocks.txs(height)
  if (!txs) throw new BadRequest(`the block ${height} is not available`, 'height', 'block_unavailable')
  return txs
}
