import type { StateRecord } from '../../client/proof/state-record.ts'
import type { Writer } from '../../store/write/writer.ts'
import type { StateProver } from './state-prover.ts'
import type { ToldHeights } from './told.ts'

export type StateSearch = { writer: Writer; prover: StateProver; told: ToldHeights }

/** Whether the index has a record right after a height that is committed; undefined when no node can prove it. */
export async function isRightAfter(
  { writer, prover, told }: StateSearch,
  record: StateRecord,
  height: number,
): Promise<boolean | undefined> {
  // The beginning is trusted; and a node takes a question about height 0 for one about its head.
  if (height <= writer.start!.base_height) return true
  // Of the others the past is not kept.
  if (record.kind !== 'balance' && record.kind !== 'supply') return undefined
  const appHash = (await writer.appHashAt(height + 1)) ?? told.at(height + 1)?.appHash
  if (appHash === undefined) return undefined
  return prover.isRight(await writer.claimAfter(record, height), height, appHash)
}

/**
 * The first heights whose events made a record wrong that is wrong after `last`, which is committed: what is wrong stays so until it is
 * mended. Several where they can only be taken back together; undefined when it was wrong before anything that can be taken back.
 */
export async function findFirstFalse(
  search: StateSearch,
  record: StateRecord,
  last: number,
): Promise<{ from: number; to: number } | undefined> {
  const ends = [...(await search.writer.listReach()).filter((height) => height < last), last]
  // Where nothing can be proven any more, the last heights are those that are known to be wrong.
  if (ends.length === 1 || (await isRightAfter(search, record, ends[0]!)) === false) return undefined
  let right = 0
  let wrong = ends.length - 1
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2)
    const isRight = await isRightAfter(search, record, ends[middle]!)
    if (isRight === undefined) break
    if (isRight) right = middle
    else wrong = middle
  }
  return { from: ends[wrong - 1]! + 1, to: ends[wrong]! }
}
