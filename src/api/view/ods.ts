import type { Static } from 'typebox'
import { toOds, unpackOds } from '../../decode/square/ods.ts'
import type { ODS } from '../schema/block.ts'

/** The contract's word list has none for the newest reserved namespace, which counts as any other. */
export function toOdsAnswer(width: number, packed: Uint8Array): Static<typeof ODS> {
  const { items } = toOds(width, unpackOds(packed))
  return { width, items: items.map((item) => ({ ...item, type: item.type === 'pay_for_fibre' ? 'namespace' : item.type })) }
}
