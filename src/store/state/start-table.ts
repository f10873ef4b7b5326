import { bool, int } from './column.ts'
import { defineTable, type RowOf } from './table-def.ts'

/**
 * Where the index begins, written with its pseudo-block and never changed. Without state the pseudo-block stands for a block that is not
 * known, so it leaves no row in `block`.
 */
export const startTable = defineTable({
  name: 'index_start',
  key: ['one'],
  residence: 'all',
  columns: { one: bool, base_height: int, has_state: bool },
})

export type StartRow = RowOf<typeof startTable>
