import type { Static } from 'typebox'
import { toOds, unpackOds } from '../../decode/square/ods.ts'
import type { ODS } from '../schema/block.ts'

/**
 * `squareSize` is what the node said, which nothing seals (some say 0 for an empty block): the side follows from the shares, and only a
 * block without a square, genesis, keeps it. The contract's word list has none for the newest reserved namespace, which counts as any other.
 */
export function toOdsAnswer(squareSize: number, packed: Uint8Array): Static<typeof ODS> {
  const runs = unpackOds(packed)
  const width = runs.length === 0 ? squareSize : Math.sqrt(runs.reduce((sum, { shares }) => sum + shares, 0))
  const { items } = toOds(width, runs)
  return { width, items: items.map((item) => ({ ...item, type: item.type === 'pay_for_fibre' ? 'namespace' : item.type })) }
}
