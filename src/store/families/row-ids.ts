import type { AppendOnlyTable } from '../pack/append-only.ts'
import type { StateTable } from '../state/table.ts'
import type { BlockInput } from './family.ts'

type Origin = { tx?: number; message?: number }

/** How every row begins that is numbered within its block. */
export function numbered(input: BlockInput, table: AppendOnlyTable): { height: number; id: number; time: string } {
  return { height: input.height, id: input.firstId + input.rows.position(table), time: input.time }
}

/** Null for what the chain did outside of any tx. */
export function txIdOf(input: BlockInput, origin: Origin): number | null {
  return origin.tx === undefined ? null : input.firstId + origin.tx
}

export function messageIdOf(input: BlockInput, origin: Origin): number | null {
  return origin.message === undefined ? null : input.firstId + origin.message
}

export function accountIdOrNull(input: BlockInput, address: string | null): number | null {
  return address === null ? null : input.accountId(address)
}

/**
 * Ids for rows of a state table that are numbered within their block. The count starts over with every block input, so that a height
 * applied again after a rollback gets the same ids.
 */
export function createBlockNumbering(): (input: BlockInput) => number {
  let current: BlockInput | undefined
  let position = 0
  return (input) => {
    if (current !== input) {
      current = input
      position = 0
    }
    return input.firstId + position++
  }
}

/** The next of the small numbers (1, 2, ...) by which the API calls the few entities of a kind. */
export function nextNumber<Row extends { number: number }>(table: StateTable<Row>): number {
  let highest = 0
  for (const row of table.all()) if (row.number > highest) highest = row.number
  return highest + 1
}
