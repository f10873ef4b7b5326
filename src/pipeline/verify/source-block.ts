import { parseRawBlock } from '../../chain/parse.ts'
import type { ChainSource, RawBlock } from '../../chain/source.ts'
import { NodeFault, OperatorError } from '../../lib/errors.ts'

/** Hash of a height as the source has it now, lower-case hex, and who says so. A faulty answer is reported and the height asked again. */
export async function askSource(
  source: ChainSource,
  chainId: string,
  height: number,
  signal: AbortSignal,
): Promise<{ hash: string; origin: string }> {
  while (!signal.aborted) {
    for await (const [raw] of source.blocks(height, height, signal)) {
      if (!raw) continue
      try {
        return { hash: hashOf(raw, chainId), origin: raw.origin }
      } catch (error) {
        if (!(error instanceof NodeFault)) throw error
        // The source waits before it asks again, or gives up with its own error.
        source.reportFault(raw.origin, error)
      }
    }
  }
  throw new OperatorError('stopped', `stopped while asking for height ${height}`, { height })
}

/** Lower-case hex, as the database has it. Throws a NodeFault when the block is not whole. */
export function hashOf(raw: RawBlock, chainId: string): string {
  return parseRawBlock(raw, { chainId }).hash.toLowerCase()
}
