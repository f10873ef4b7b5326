import type { TableDef } from './table.ts'

export type ZkIsmRow = {
  ism_id: string
  number: number
  creator_id: number | null
  state: string
  merkle_tree_address: string
  groth16_vkey: string
  state_transition_vkey: string
  state_membership_vkey: string
  tx_id: number | null
  height: number
  time: string
}

export const zkIsmTable: TableDef<ZkIsmRow> = {
  name: 'zkism',
  key: ['ism_id'],
  residence: 'all',
  columns: {
    ism_id: 'text',
    number: 'int',
    creator_id: 'int',
    state: 'text',
    merkle_tree_address: 'text',
    groth16_vkey: 'text',
    state_transition_vkey: 'text',
    state_membership_vkey: 'text',
    tx_id: 'int',
    height: 'int',
    time: 'time',
  },
}
