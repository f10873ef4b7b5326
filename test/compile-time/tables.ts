/** Proofs by `tsc`, see effects.ts: rows, keys and groups of a table are those of its columns. */
import { amount, int, oneOf, orNull, text } from '../../src/store/state/column.ts'
import { defineTable, type RowOf } from '../../src/store/state/table.ts'

const moves = defineTable({
  name: 'move',
  key: ['id'],
  residence: 'all',
  columns: { id: int, amount, memo: orNull(text), way: oneOf('in', 'out') },
  groups: { way: (row) => row.way },
})

export const rows: RowOf<typeof moves>[] = [
  { id: 1, amount: 2n, memo: null, way: 'in' },
  // @ts-expect-error a column is forgotten
  { id: 1, memo: null, way: 'in' },
  // @ts-expect-error a column that the table does not have
  { id: 1, amount: 2n, memo: null, way: 'in', fee: 3n },
  // @ts-expect-error another type than that of the column
  { id: 1, amount: 2, memo: null, way: 'in' },
  // @ts-expect-error a column that is not nullable
  { id: 1, amount: null, memo: null, way: 'in' },
  // @ts-expect-error a text that the column does not know
  { id: 1, amount: 2n, memo: null, way: 'up' },
]

export const keys = [
  // @ts-expect-error the key is no column
  defineTable({ name: 'move', key: ['height'], residence: 'all', columns: { id: int } }),
  // @ts-expect-error the group is by no column
  defineTable({ name: 'move', key: ['id'], residence: 'all', columns: { id: int }, groups: { height: (row) => row.height } }),
]
