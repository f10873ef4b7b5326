import type { SealedSquare } from '../../decode/square/data-hash.ts'
import { measureTrees } from '../../decode/square/square-trees.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Client } from '../../lib/turn-queue.ts'
import type { BlockRef } from './block-ref.ts'
import { squareThread } from './thread.ts'
import type { Sealing } from './work.ts'

/** Trees of the blocks that were asked for last: 150 full ones. */
const KEPT_BYTES = 16 * 2 ** 20

const kept = new BoundedCache<string, SealedSquare>(KEPT_BYTES, measureTrees)
const sealing = new SingleFlight<Sealing>()
/** Txs that squares were computed from. Others of the same block, told later, are not known to be the same. */
const sealedTxs = new WeakSet<Uint8Array[]>()

/** The square of a block that has these txs, and the shares that had to be hashed for it: none when it is known or somebody else waits for it. */
export async function squareOf(block: BlockRef, rawTxs: Uint8Array[], client: Client): Promise<Sealing & { areSealed: boolean }> {
  const known = kept.get(block.hash)
  const { sealed, hashedShares } = known ? { sealed: known, hashedShares: 0 } : await sealTxs(block, rawTxs, client)
  return { sealed, hashedShares, areSealed: sealedTxs.has(rawTxs) }
}

/** Computes the square. Throws a NodeFault when its root is not the data hash of the indexed header: these are not the txs of the block. */
export async function sealTxs(block: BlockRef, rawTxs: Uint8Array[], client: Client): Promise<Sealing> {
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
