import { ForkDetected, NodeFault } from '../lib/errors.ts'
import { checkLink, ResultsRefused } from './link.ts'
import { type ParsedBlock, parseRawBlock } from './parse.ts'
import type { ChainSource, RawBlock } from './source.ts'

export type CheckedBlock = { raw: RawBlock; block: ParsedBlock }

/** Two blocks that do not fit may come from two replicas behind one address; they are asked for again before it counts. */
const LINK_TRIES = 3

/**
 * Heights `from`..`to` in order, each checked on its own, against its parent, and by the seal that the next header puts on its
 * results; only the last one has no next. What fails is reported to the source and asked for again, so this ends with all blocks,
 * with the source's own error when it has nobody left to ask, or with ForkDetected when two blocks stay at odds.
 */
export async function* readCheckedBlocks(
  source: ChainSource,
  range: { chainId: string; from: number; to: number },
  signal: AbortSignal,
): AsyncGenerator<CheckedBlock> {
  // A block is held back until its follower has confirmed it.
  let held: CheckedBlock | undefined
  let last: CheckedBlock | undefined
  let next = range.from
  let misfit = { height: 0, times: 0 }
  while (next <= range.to) {
    try {
      for await (const chunk of source.blocks(next, range.to, signal)) {
        for (const raw of chunk) {
          const block = parseRawBlock(raw, range)
          const parent = held ?? last
          if (parent) checkLink({ ...parent.block, origin: parent.raw.origin }, { ...block, origin: raw.origin })
          if (held) {
            last = held
            yield held
          }
          held = { raw, block }
          next = raw.height + 1
        }
      }
    } catch (error) {
      if (error instanceof ForkDetected) {
        misfit = { height: error.height, times: error.height === misfit.height ? misfit.times + 1 : 1 }
        if (misfit.times === LINK_TRIES) throw error
      } else if (error instanceof NodeFault && typeof error.facts.origin === 'string') {
        source.reportFault(error.facts.origin, error)
      } else throw error
      // The held block may be the wrong one of the two.
      if (held && (error instanceof ForkDetected || error instanceof ResultsRefused)) {
        next = held.raw.height
        held = undefined
      }
    }
  }
  if (held) yield held
}
