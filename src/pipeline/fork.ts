import { parseRawBlock } from '../chain/parse.ts'
import type { ChainSource } from '../chain/source.ts'
import { OperatorError } from '../lib/errors.ts'
import type { Writer } from '../store/writer.ts'

/** Hash and parent of a height as the source has it now, lower-case hex. */
async function sourceBlock(
  source: ChainSource,
  chainId: string,
  height: number,
  signal: AbortSignal,
): Promise<{ hash: string; parent: string }> {
  for await (const [raw] of source.blocks(height, height, signal)) {
    if (!raw) continue
    const block = parseRawBlock(raw, { chainId })
    return { hash: block.hash.toLowerCase(), parent: block.parentHash.toLowerCase() }
  }
  throw new OperatorError('height_missing', `the source does not give height ${height}`, { height })
}

export type ForkOptions = { maxDepth: number; onRollback: (from: number, to: number) => void }

/**
 * The source does not continue our chain at `height` (reliability.md §4): ask once more, walk back to the last common block before
 * anything is deleted, refuse what is deeper than the limit, then take the heights above it back.
 */
export async function resolveFork(
  source: ChainSource,
  writer: Writer,
  signal: AbortSignal,
  { maxDepth, onRollback }: ForkOptions,
): Promise<void> {
  const { chain_id: chainId, last_height: last } = writer.head!
  const confirmed = await sourceBlock(source, chainId, last, signal)
  if (confirmed.hash === (await writer.hashAt(last))) return
  let common = last - 1
  for (; last - common <= maxDepth && common > 0; common--) {
    const theirs = await sourceBlock(source, chainId, common, signal)
    if (theirs.hash === (await writer.hashAt(common))) break
  }
  if (last - common > maxDepth || common <= 0)
    throw new OperatorError(
      'fork_too_deep',
      `the source has another chain for more than ${maxDepth} blocks below ${last}: nothing was deleted, decide and start again`,
      {
        height: last,
        maxDepth,
      },
    )
  await writer.revertTo(common)
  onRollback(last, common)
}
