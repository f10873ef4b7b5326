import type { ChainSource } from '../chain/source.ts'
import { ForkDetected, NodeFault } from '../lib/errors.ts'
import type { Writer } from '../store/writer.ts'
import type { PreparedBlock } from './prepare-block.ts'
import { BlockRefused, type PreparePool } from './prepare-pool.ts'
import { readChain } from './read-chain.ts'

/** What was committed together; `blockBytes` has one number per block. */
export type Progress = { height: number; target: number; blocks: number; txs: number; blockBytes: readonly number[] }

export type CatchUp = {
  source: ChainSource
  writer: Writer
  pool: PreparePool
  chainId: string
  /** last height */
  to: number
  batchBlocks: number
  onProgress: (progress: Progress) => void
  onFetch: (seconds: number) => void
}

/** COPY text of one transaction: bounds memory and the time a commit takes. */
const BATCH_CHARS = 24_000_000

/** The block before; what is known of its results only when it came in the same run. */
type Tip = { height: number; hash: string; resultsHash?: string; origin?: string }

/** The results of a height, which no header of its own seals, are not those the chain agreed on. */
export class ResultsRefused extends NodeFault {
  readonly height: number
  readonly origin: string
  constructor(tip: Tip) {
    super('results_hash', `the results of height ${tip.height} are not those that the next header states`, { height: tip.height })
    this.height = tip.height
    this.origin = tip.origin ?? ''
  }
}

/** Reads, checks and commits everything up to `to`. What came before a bad block is kept: a lying node cannot hold up the index. */
export async function catchUp({ source, writer, pool, chainId, to, ...options }: CatchUp, signal: AbortSignal): Promise<void> {
  let batch: PreparedBlock[] = []
  let chars = 0
  let tip: Tip = { height: writer.head!.last_height, hash: writer.head!.last_hash }
  const flush = async () => {
    if (batch.length === 0) return
    const blocks = batch
    batch = []
    chars = 0
    await writer.commit(blocks)
    const txs = blocks.reduce((sum, block) => sum + block.txs.length, 0)
    const blockBytes = blocks.map(({ stats }) => stats.bytesInBlock)
    const progress = { height: blocks.at(-1)!.height, target: to, blocks: blocks.length, txs, blockBytes }
    // Progress is what is committed. A commit that fails is thrown by the next call to the writer.
    writer.settled().then(
      () => options.onProgress(progress),
      () => {},
    )
  }
  const finish = async () => {
    await flush()
    await writer.settled()
  }
  const take = async (blocks: PreparedBlock[]) => {
    for (const block of blocks) {
      checkLink(tip, block)
      tip = { height: block.height, hash: block.hash.toLowerCase(), resultsHash: block.resultsHash, origin: block.origin }
      batch.push(block)
      chars += sizeOf(block)
      if (batch.length >= options.batchBlocks || chars >= BATCH_CHARS) await flush()
    }
  }
  try {
    for await (const blocks of readChain(source, pool, chainId, tip.height + 1, to, signal, options.onFetch)) {
      await take(blocks)
      if (signal.aborted) break
    }
  } catch (error) {
    if (error instanceof BlockRefused) await take(error.good)
    await finish()
    throw error
  }
  await finish()
}

function checkLink(tip: Tip, block: PreparedBlock): void {
  if (block.height !== tip.height + 1) throw new NodeFault('height_gap', `expected height ${tip.height + 1}, got ${block.height}`)
  // The first real block has no parent; the genesis pseudo-block has no hash.
  if (tip.hash !== '' && block.parentHash.toLowerCase() !== tip.hash)
    throw new ForkDetected(block.height, { expected: tip.hash, parent: block.parentHash, origin: block.origin })
  if (tip.resultsHash !== undefined && block.lastResultsHash !== '' && block.lastResultsHash !== tip.resultsHash)
    throw new ResultsRefused(tip)
}

function sizeOf(block: PreparedBlock): number {
  let size = block.blockRow.length + block.messageRows.length
  for (const tx of block.txs) size += tx.row.length
  for (const blob of block.blobs) size += blob.row.length
  return size
}
