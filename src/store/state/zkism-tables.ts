import { int, orNull, text, time } from './column.ts'
import { defineTable, type RowOf } from './table-def.ts'

export const zkIsmTable = defineTable({
  name: 'zkism',
  key: ['ism_id'],
  residence: 'all',
  columns: {
    ism_id: text,
    number: int,
    creator_id: orNull(int),
    state: text,
    merkle_tree_address: text,
    groth16_vkey: text,
    state_transition_vkey: text,
    state_membership_vkey: text,
    tx_id: orNull(int),
    height: int,
    time,
  },
})

export type ZkIsmRow = RowOf<typeof zkIsmTable>
