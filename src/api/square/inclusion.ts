import type { Static } from 'typebox'
import type { Subject } from '../../decode/square/inclusion.ts'
import type { RangeProof } from '../../decode/square/nmt.ts'
import { SHARE_SIZE } from '../../decode/square/share-counts.ts'
import { Invariant } from '../../lib/errors.ts'
import type { Client } from '../../lib/turn-queue.ts'
import { BadRequest } from '../http/errors.ts'
import { WrittenAnswer } from '../http/write-json.ts'
import { WithWork } from '../route.ts'
import type { ShareProof } from '../schema/proof.ts'
import type { BlockRef } from './block-ref.ts'
import type { BlockStore } from './block-store.ts'
import { sealTxs, squareOf } from './sealed-squares.ts'
import { squareThread } from './thread.ts'

/** A proof that is asked for. */
export type ProofRequest = { block: BlockRef; subject: Subject; client: Client }

/** The root of the whole square must be the data hash of the indexed header before anything of it is shown. */
export async function proveFromBlock(blocks: BlockStore, request: ProofRequest): Promise<WithWork<Static<typeof ShareProof>>> {
  const { block, subject, client } = request
  return readProven(blocks, request, async (rawTxs) => {
    const { hashedShares, ...square } = await squareOf(block, rawTxs, client)
    const proof = await squareThread.run('inclusion', { rawTxs, ...square, subject, block }, client)
    if (!proof) return undefined
    const answer = 'bytes' in proof.answer ? (new WrittenAnswer(proof.answer) as unknown as never) : proof.answer
    return new WithWork(answer, (hashedShares + proof.hashedShares) * SHARE_SIZE)
  })
}

/** One proof per row of the square that the subject touches. */
export async function proveRangesFromBlock(blocks: BlockStore, request: ProofRequest): Promise<WithWork<RangeProof[]>> {
  const { block, subject, client } = request
  return readProven(blocks, request, async (rawTxs) => {
    const { hashedShares, ...square } = await squareOf(block, rawTxs, client)
    const proof = await squareThread.run('ranges', { rawTxs, ...square, subject }, client)
    return proof && new WithWork(proof.ranges, (hashedShares + proof.hashedShares) * SHARE_SIZE)
  })
}

/** Where `find` finds nothing in txs, they are false or the index is. */
export async function readProven<T>(
  blocks: BlockStore,
  { block, client }: Pick<ProofRequest, 'block' | 'client'>,
  find: (txs: Uint8Array[]) => Promise<T | undefined>,
): Promise<T> {
  const found = await blocks.read(block, client, async (txs) => {
    const value = await find(txs)
    if (value !== undefined) return value
    await sealTxs(block, txs, client)
    throw new Invariant('blob_content', 'the block does not have the indexed tx or blob', { height: block.height })
  })
  if (found === undefined) throw new BadRequest(`the block ${block.height} is not available`, 'height', 'block_unavailable')
  return found
}
