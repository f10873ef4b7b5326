import type { ChainSource } from '../../chain/source.ts'
import { NodeFault } from '../../lib/errors.ts'
import { ALL_HEIGHTS, type BlockChecks, NO_HEIGHTS, type PreparedBlock } from '../prepare-block.ts'
import { BlockRefused, type PreparePool } from '../prepare-pool.ts'
import { describeFalseTxs } from './data-root.ts'

/** This close to the head, and to where a run begins, every data root is checked. */
export const TIP_BLOCKS = 10

/** The txs of a block that was taken are not those that its header seals: it may be written already. */
export class TxsRefused extends NodeFault {
  readonly height: number
  readonly origin: string
  /** `origin` is empty where nobody knows any more who gave them. */
  constructor({ height, origin }: { height: number; origin: string }, reason?: string) {
    super('data_hash', describeFalseTxs(height), { height, origin, ...(reason !== undefined && { reason }) })
    this.height = height
    this.origin = origin
  }
}

/** The last blocks of a run: where it ends below the head that was claimed, they were the tip and nobody knew. */
export class RecentBlocks {
  #blocks: PreparedBlock[] = []

  add(block: PreparedBlock): void {
    this.#blocks.push(block)
    if (this.#blocks.length > TIP_BLOCKS) this.#blocks.shift()
  }

  /** Reads those whose txs were not compared with their data root once more, and throws TxsRefused where what was taken is not true. */
  async recheck(parts: { source: ChainSource; pool: PreparePool; chainId: string }, signal: AbortSignal): Promise<void> {
    for (const block of this.#blocks) if (!block.isRootChecked) await recheckBlock(block, parts, signal)
  }
}

const ALL_ROOTS: BlockChecks = { roots: ALL_HEIGHTS, events: NO_HEIGHTS }

async function recheckBlock(
  block: PreparedBlock,
  { source, pool, chainId }: { source: ChainSource; pool: PreparePool; chainId: string },
  signal: AbortSignal,
): Promise<void> {
  const { height } = block
  for (;;) {
    let refused: BlockRefused | undefined
    for await (const chunk of source.blocks(height, height, signal)) {
      try {
        const [again] = await pool.decode(chunk, chainId, ALL_ROOTS)
        // Another branch is found by its hash, and has its own way.
        if (again && again.hash === block.hash && !hasSameTxs(again, block)) throw new TxsRefused(block)
      } catch (error) {
        if (!(error instanceof BlockRefused)) throw error
        refused = error
      }
    }
    if (!refused) return
    // A node that repeats false txs is the one that gave them.
    if (refused.origin === block.origin) throw new TxsRefused(block)
    source.reportFault(refused.origin, refused)
  }
}

function hasSameTxs(a: PreparedBlock, b: PreparedBlock): boolean {
  return (
    a.messageRows === b.messageRows &&
    a.txs.length === b.txs.length &&
    a.txs.every(({ row }, i) => row === b.txs[i]!.row) &&
    a.blobs.length === b.blobs.length &&
    a.blobs.every(({ row }, i) => row === b.blobs[i]!.row)
  )
}
