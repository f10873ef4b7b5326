import type { Static } from 'typebox'
import type { SealedSquare } from '../../decode/square/data-hash.ts'
import type { Subject } from '../../decode/square/inclusion.ts'
import type { RangeProof } from '../../decode/square/nmt.ts'
import { SHARE_SIZE } from '../../decode/square/share-counts.ts'
import { measureTrees } from '../../decode/square/square-trees.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { Invariant } from '../../lib/errors.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Client } from '../../lib/turn-queue.ts'
import { BadRequest } from '../http/errors.ts'
import { WrittenAnswer } from '../http/write-json.ts'
import { WithWork } from '../route.ts'
import type { ShareProof } from '../schema/proof.ts'
import type { BlockRef } from './block-ref.ts'
import type { BlockStore } from './block-store.ts'
import { squareThread } from './thread.ts'
import type { Sealing } from './work.ts'

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

/** Trees of the blocks that were asked for last: 150 full ones. */
const KEPT_BYTES = 16 * 2 ** 20

const kept = new BoundedCache<string, SealedSquare>(KEPT_BYTES, measureTrees)
const sealing = new SingleFlight<Sealing>()
/** Txs that squares were computed from. Others of the same block, told later, are not known to be the same. */
const sealedTxs = new WeakSet<Uint8Array[]>()

/** The square of a block that has these txs, and the shares that had to be hashed for it: none when it is known or somebody else waits for it. */
async function squareOf(block: BlockRef, rawTxs: Uint8Array[], client: Client): Promise<Sealing & { areSealed: boolean }> {
  const known = kept.get(block.hash)
  const { sealed, hashedShares } = known ? { sealed: known, hashedShares: 0 } : await sealTxs(block, rawTxs, client)
  return { sealed, hashedShares, areSealed: sealedTxs.has(rawTxs) }
}

/** Computes the square. Throws a NodeFault when its root is not the data hash of the indexed header: these are not the txs of the block. */
async function sealTxs(block: BlockRef, rawTxs: Uint8Array[], client: Client): Promise<Sealing> {
  let hashedShares = 0
  // By these very txs: those of another source must not be refuted with them.
  const { sealed } = await sealing.run(rawTxs, async () => {
    const { versionApp, dataHash } = block
    const found = await squareThread.run('seal', { rawTxs, versionApp, dataHash }, client)
    kept.set(block.hash, found.sealed)
    sealedTxs.add(rawTxs)
    hashedShares = found.hashedShares
    return found
  })
  return { sealed, hashedShares }
}
