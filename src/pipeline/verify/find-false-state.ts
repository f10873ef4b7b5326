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
 * The first height whose events made a record wrong that is wrong after `last`, which is committed: what is wrong stays so until it is
 * mended. 0 when it was wrong before anything that can be taken back.
 */
export async function findFirstFalse(search: StateSearch, record: StateRecord, last: number): Promise<number> {
  const floor = await search.writer.lowestUndo()
  // Where nothing can be proven any more, the last height is the one that is known to be wrong.
  if ((await isRightAfter(search, record, floor - 1)) === false) return 0
  let right = floor - 1
  let wrong = last
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2)
    const isRight = await isRightAfter(search, record, middle)
    if (isRight === undefined) return wrong
    if (isRight) right = middle
    else wrong = middle
  }
  return wrong
}
