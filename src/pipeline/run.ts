import { parseRawBlock } from '../chain/parse.ts'
import type { ChainSource, SourceHead } from '../chain/source.ts'
import { ForkDetected, NodeFault, OperatorError } from '../lib/errors.ts'
import type { Writer } from '../store/writer.ts'
import type { DecodedBlock } from './decode-block.ts'
import { BlockRefused, type DecodePool } from './decode-pool.ts'
import { resolveFork } from './fork.ts'
import { ensureGenesis, readGenesis } from './genesis.ts'
import { readChain } from './read-chain.ts'

export type Progress = { height: number; target: number; blocks: number; txs: number }

export type RunOptions = {
  /** blocks per transaction while catching up */
  batchBlocks: number
  /** go on at the tip; otherwise stop at the source's head */
  follow: boolean
  /** stop at this height */
  until?: number
  maxRollbackDepth: number
  onProgress?: (progress: Progress) => void
  onHead?: (head: SourceHead) => void
  onRollback?: (from: number, to: number) => void
  onFault?: (fault: NodeFault) => void
}

/** COPY text of one transaction: bounds memory and the time a commit takes. */
const BATCH_CHARS = 24_000_000

/** How often one height may be refused before we stop asking: a recording will not get better. */
const REFUSALS = 20

/**
 * Follows a source until aborted, or to its head: genesis first, then blocks in order. Faulty answers are reported to the source and
 * asked again, forks are resolved, everything else ends the run.
 */
export async function run(
  source: ChainSource,
  writer: Writer,
  pool: DecodePool,
  options: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  const genesis = await readGenesis(source, signal)
  await ensureGenesis(writer, genesis)
  let refusals = 0
  while (!signal.aborted) {
    const head = await source.head(signal)
    if (head.chainId !== genesis.chainId)
      throw new OperatorError('wrong_chain', `this index holds chain ${genesis.chainId}, the source serves ${head.chainId}`)
    options.onHead?.(head)
    const last = writer.head!.last_height
    const to = Math.min(head.height, options.until ?? Number.POSITIVE_INFINITY)
    try {
      if (last < to) {
        const before = last
        await catchUp(source, writer, pool, genesis.chainId, to, options, signal)
        if (writer.head!.last_height > before) refusals = 0
      } else if (head.height < last) {
        await checkHead(source, writer, head.height, signal)
      }
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof BlockRefused) {
        if (++refusals > REFUSALS)
          throw new OperatorError(
            error.code,
            `height ${error.height} was refused ${REFUSALS} times: ${error.message}`,
            error.facts,
            error,
          )
        await writer.settled()
        source.reportFault(error.origin, error)
        options.onFault?.(error)
      } else if (error instanceof ResultsRefused) {
        if (++refusals > REFUSALS) throw new OperatorError(error.code, error.message, error.facts, error)
        await writer.settled()
        if (writer.head!.last_height >= error.height) await writer.revertTo(error.height - 1)
        source.reportFault(error.origin, error)
        options.onFault?.(error)
      } else if (error instanceof ForkDetected) {
        await writer.settled()
        await resolveFork(source, writer, signal, {
          maxDepth: options.maxRollbackDepth,
          onRollback: options.onRollback ?? (() => {}),
        })
      } else throw error
    }
    if (writer.head!.last_height >= to && !signal.aborted) {
      if (!options.follow || (options.until !== undefined && writer.head!.last_height >= options.until)) return
      await source.waitForHead(writer.head!.last_height, signal).catch((error) => {
        if (!signal.aborted) throw error
      })
    }
  }
}

async function catchUp(
  source: ChainSource,
  writer: Writer,
  pool: DecodePool,
  chainId: string,
  to: number,
  options: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  let batch: DecodedBlock[] = []
  let chars = 0
  let tip: Tip = { height: writer.head!.last_height, hash: writer.head!.last_hash }
  const flush = async () => {
    if (batch.length === 0) return
    const blocks = batch
    batch = []
    chars = 0
    await writer.commit(blocks)
    options.onProgress?.({
      height: blocks.at(-1)!.height,
      target: to,
      blocks: blocks.length,
      txs: blocks.reduce((sum, block) => sum + block.txs.length, 0),
    })
  }
  const take = async (blocks: DecodedBlock[]) => {
    for (const block of blocks) {
      checkLink(tip, block)
      tip = { height: block.height, hash: block.hash.toLowerCase(), resultsHash: block.resultsHash, origin: block.origin }
      batch.push(block)
      chars += sizeOf(block)
      if (batch.length >= options.batchBlocks || chars >= BATCH_CHARS) await flush()
    }
  }
  try {
    for await (const blocks of readChain(source, pool, chainId, tip.height + 1, to, signal)) {
      await take(blocks)
      if (signal.aborted) break
    }
  } catch (error) {
    // What came before the bad block is good: keep it, so that a lying node cannot hold up the index.
    if (error instanceof BlockRefused) await take(error.good)
    await flush()
    throw error
  }
  await flush()
  await writer.settled()
}

/** The block before; what is known of its results only when it came in the same run. */
type Tip = { height: number; hash: string; resultsHash?: string; origin?: string }

/** The results of a height, which no header of its own seals, are not those the chain agreed on. */
class ResultsRefused extends NodeFault {
  readonly height: number
  readonly origin: string
  constructor(tip: Tip) {
    super('results_hash', `the results of height ${tip.height} are not those that the next header states`, { height: tip.height })
    this.height = tip.height
    this.origin = tip.origin ?? ''
  }
}

function checkLink(tip: Tip, block: DecodedBlock): void {
  if (block.height !== tip.height + 1) throw new NodeFault('height_gap', `expected height ${tip.height + 1}, got ${block.height}`)
  // The first real block has no parent; the genesis pseudo-block has no hash.
  if (tip.hash !== '' && block.parentHash.toLowerCase() !== tip.hash)
    throw new ForkDetected(block.height, { expected: tip.hash, parent: block.parentHash })
  if (tip.resultsHash !== undefined && block.lastResultsHash !== '' && block.lastResultsHash !== tip.resultsHash)
    throw new ResultsRefused(tip)
}

function sizeOf(block: DecodedBlock): number {
  let size = block.blockRow.length + block.messageRows.length
  for (const tx of block.txs) size += tx.row.length
  for (const blob of block.blobs) size += blob.row.length
  return size
}

/** The source is behind us. That alone is no fork: only another block at its own height is. */
async function checkHead(source: ChainSource, writer: Writer, height: number, signal: AbortSignal): Promise<void> {
  if (height <= 0) return
  for await (const [raw] of source.blocks(height, height, signal)) {
    if (!raw) continue
    const block = parseRawBlock(raw, { chainId: writer.head!.chain_id })
    if (block.hash.toLowerCase() !== (await writer.hashAt(height))) throw new ForkDetected(height)
    return
  }
}
