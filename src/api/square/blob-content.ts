import type { RangeProof } from '../../decode/square/nmt.ts'
import type { SquareBlob } from '../../decode/square/shares.ts'
import { toSquareTx } from '../../decode/square/square-tx.ts'
import { equalBytes, toHex } from '../../lib/encoding/bytes.ts'
import { Invariant } from '../../lib/errors.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import { positionOf } from '../../store/pack/id.ts'
import type { BlobKey } from '../../store/read/blob.ts'
import { BadRequest } from '../http/errors.ts'
import type { BlockRef, BlockStore } from './block-store.ts'
import { squareThread } from './thread.ts'

const reading = new SingleFlight<SquareBlob>()
const proving = new SingleFlight<RangeProof[]>()

/** The blob of an indexed row, taken from its block; the commitment is computed again before anyone sees it. */
export function readBlob(blocks: BlockStore, height: number, key: BlobKey): Promise<SquareBlob> {
  return reading.run(nameOf(key), async () => {
    const block = refOf(height, key)
    const blob = takeBlob(await requireTxs(blocks, block), key)
    if (!equalBytes(await squareThread.run('commitment', blob, block.hash), key.commitment))
      throw new Invariant('blob_content', 'the source of blocks gave a blob that does not match its commitment', { height })
    return blob
  })
}

/** One proof per row of the square that the blob touches. */
export function proveBlob(blocks: BlockStore, height: number, key: BlobKey): Promise<RangeProof[]> {
  return proving.run(nameOf(key), async () => {
    const block = refOf(height, key)
    const txs = await requireTxs(blocks, block)
    const blob = { tx: positionOf(key.tx_id), index: key.position }
    return squareThread.run('proofs', { txs, versionApp: key.version_app, ...blob }, block.hash)
  })
}

function refOf(height: number, { block_hash, block_bytes }: BlobKey): BlockRef {
  return { height, hash: toHex(block_hash), bytes: block_bytes }
}

/** The hash of a block names its network too. */
function nameOf({ block_hash, tx_id, position }: BlobKey): string {
  return `${toHex(block_hash)} ${tx_id} ${position}`
}

function takeBlob(txs: Uint8Array[], key: BlobKey): SquareBlob {
  const bytes = txs[positionOf(key.tx_id)]
  const blob = bytes && toSquareTx(bytes, key.version_app).blobs[key.position]
  if (!blob) throw new Invariant('blob_content', 'the source of blocks gave a block without the indexed blob')
  return blob
}

export async function requireTxs(blocks: BlockStore, block: BlockRef): Promise<Uint8Array[]> {
  const txs = await blocks.txs(block)
  if (!txs) throw new BadRequest(`the block ${block.height} is not available`, 'height', 'block_unavailable')
  return txs
}
