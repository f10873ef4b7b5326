/** Proofs by `tsc`, see effects.ts: rows, keys and groups of a table are those of its columns. */

import type { RowSink } from '../../src/store/families/row-sink.ts'
import { int as copyInt } from '../../src/store/pack/copy-column.ts'
import { copyTable } from '../../src/store/pack/copy-table.ts'
import { amount, int, oneOf, orNull, text } from '../../src/store/state/column.ts'
import { defineTable, type RowOf } from '../../src/store/state/table-def.ts'

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

declare const sink: RowSink
sink.row('signer', { address_id: 1, tx_id: 2 })
// @ts-expect-error a column is forgotten
sink.row('signer', { address_id: 1 })
// @ts-expect-error a column that the table does not have
sink.row('signer', { address_id: 1, tx_id: 2, height: 3 })
// @ts-expect-error the worker thread begins a row of this table
sink.row('tx', { signer_ids: [1] })

export const appended = [
  copyTable({ columns: { height: copyInt, owner: copyInt } }),
  copyTable({ columns: { owner: copyInt, id: copyInt }, link: { owner: 'owner', id: 'id', owners: 'addresses' } }),
  // @ts-expect-error a rollback would not find its rows: neither a height nor an owner
  copyTable({ columns: { owner: copyInt, id: copyInt } }),
  // @ts-expect-error the owner is no column
  copyTable({ columns: { owner: copyInt, id: copyInt }, link: { owner: 'address_id', id: 'id', owners: 'addresses' } }),
]
