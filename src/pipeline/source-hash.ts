import { parseRawBlock } from '../chain/parse.ts'
import type { ChainSource } from '../chain/source.ts'
import { NodeFault, OperatorError } from '../lib/errors.ts'

/** Hash of a height as the source has it now, lower-case hex. A faulty answer is reported and the height asked again. */
export async function sourceHash(source: ChainSource, chainId: string, height: number, signal: AbortSignal): Promise<string> {
  while (!signal.aborted) {
    for await (const [raw] of source.blocks(height, height, signal)) {
      if (!raw) continue
      try {
        return parseRawBlock(raw, { chainId }).hash.toLowerCase()
      } catch (error) {
        if (!(error instanceof NodeFault)) throw error
        // The source waits before it asks again, or gives up with an error of its own.
        source.reportFault(raw.origin, error)
      }
    }
  }
  throw new OperatorError('stopped', `stopped while asking for height ${height}`, { height })
}
