import type { ChainSource } from '../chain/source.ts'
import { OperatorError } from '../lib/errors.ts'
import type { Writer } from '../store/writer.ts'
import { sourceHash } from './source-hash.ts'

export type ForkOptions = { maxDepth: number; onRollback: (from: number, to: number) => void }

/**
 * The source does not continue our chain (docs/rules.md R59): ask once more, walk back to the last common block before anything is
 * deleted, refuse what is deeper than the limit, then take the heights above it back. False when our chain stands.
 */
export async function resolveFork(
  source: ChainSource,
  writer: Writer,
  signal: AbortSignal,
  { maxDepth, onRollback }: ForkOptions,
): Promise<boolean> {
  const { chain_id: chainId, last_height: last } = writer.head!
  const { height: theirs } = await source.head(signal)
  const isCommon = async (height: number) => (await sourceHash(source, chainId, height, signal)) === (await writer.hashAt(height))
  // A chain that was reset may be shorter than ours; one that is only behind has our block at its head.
  let common = Math.min(last, theirs)
  if (await isCommon(common)) return false
  do common--
  while (common > 0 && last - common <= maxDepth && !(await isCommon(common)))
  if (last - common > maxDepth || common <= 0)
    throw new OperatorError(
      'fork_too_deep',
      `the source has another chain for more than ${maxDepth} blocks below ${last}: nothing was deleted, decide and start again`,
      { height: last, maxDepth },
    )
  await writer.revertTo(common)
  onRollback(last, common)
  return true
}
