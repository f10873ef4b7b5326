import type { ChainSource, SourceHead } from '../chain/source.ts'
import { ForkDetected, NodeFault, OperatorError } from '../lib/errors.ts'
import type { Writer } from '../store/writer.ts'
import { catchUp, type Progress, ResultsRefused } from './catch-up.ts'
import { resolveFork } from './fork.ts'
import { ensureGenesis, readGenesis } from './genesis.ts'
import { BlockRefused, type PreparePool } from './prepare-pool.ts'
import { sourceHash } from './source-hash.ts'

export type RunOptions = {
  /** blocks per transaction while catching up */
  batchBlocks: number
  /** go on at the tip; otherwise stop at the source's head */
  follow: boolean
  /** stop at this height */
  until?: number
  maxRollbackDepth: number
  onProgress?: (progress: Progress) => void
  /** how long the run waited for a chunk of blocks */
  onFetch?: (seconds: number) => void
  onHead?: (head: SourceHead) => void
  /** Everything that the source has is committed; called each time. */
  onCaughtUp?: () => void
  onRollback?: (from: number, to: number) => void
  onFault?: (fault: NodeFault) => void
}

/**
 * Follows a source until aborted, or to its head: genesis first, then blocks in order. Faulty answers are reported to the source, which
 * asks elsewhere or gives up; forks are resolved; everything else ends the run.
 */
export async function run(
  source: ChainSource,
  writer: Writer,
  pool: PreparePool,
  options: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  const genesis = await readGenesis(source, signal)
  await ensureGenesis(writer, genesis)
  const { chainId } = genesis
  const { batchBlocks, until = Number.POSITIVE_INFINITY, onProgress = () => {}, onFetch = () => {} } = options
  while (!signal.aborted) {
    const head = await source.head(signal)
    if (head.chainId !== chainId)
      throw new OperatorError('wrong_chain', `this index holds chain ${chainId}, the source serves ${head.chainId}`)
    options.onHead?.(head)
    const last = writer.head!.last_height
    const to = Math.min(head.height, until)
    try {
      if (last < to) await catchUp({ source, writer, pool, chainId, to, batchBlocks, onProgress, onFetch }, signal)
      else if (head.height < last) await checkHead(source, writer, head.height, signal)
    } catch (error) {
      if (signal.aborted) return
      await recover(error, source, writer, options, signal)
    }
    if (writer.head!.last_height < to || signal.aborted) continue
    options.onCaughtUp?.()
    if (!options.follow || writer.head!.last_height >= until) return
    await source.waitForHead(writer.head!.last_height, signal).catch((error) => {
      if (!signal.aborted) throw error
    })
  }
}

/** Puts right what can be put right, and throws what cannot. */
async function recover(
  error: unknown,
  source: ChainSource,
  writer: Writer,
  options: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  if (error instanceof BlockRefused || error instanceof ResultsRefused) {
    await writer.settled()
    const last = writer.head!.last_height
    // Only the next header tells that results were false: the block may be written already.
    if (error instanceof ResultsRefused && last >= error.height) {
      await writer.revertTo(error.height - 1)
      options.onRollback?.(last, error.height - 1)
    }
    source.reportFault(error.origin, error)
    options.onFault?.(error)
  } else if (error instanceof ForkDetected) {
    await writer.settled()
    const onRollback = options.onRollback ?? (() => {})
    const isFork = await resolveFork(source, writer, signal, { maxDepth: options.maxRollbackDepth, onRollback })
    const { origin } = error.facts
    if (isFork || typeof origin !== 'string') return
    // Our chain stands: who gave a block with another parent lied, or changed branches between two answers. It has to rest.
    const fault = new NodeFault('parent_hash', error.message, error.facts)
    source.reportFault(origin, fault)
    options.onFault?.(fault)
  } else throw error
}

/** The source is behind us. That alone is no fork: only another block at its own height is. */
async function checkHead(source: ChainSource, writer: Writer, height: number, signal: AbortSignal): Promise<void> {
  if (height <= 0) return
  const theirs = await sourceHash(source, writer.head!.chain_id, height, signal)
  if (theirs !== (await writer.hashAt(height))) throw new ForkDetected(height)
}
