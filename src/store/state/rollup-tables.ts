import type { TableDef } from './table.ts'

export type RollupStatsRow = {
  rollup_id: number
  blobs_count: number
  size: number
  fee: bigint
  pfb_count: number
  first_message_time: string
  last_message_time: string
}

export const rollupStatsTable: TableDef<RollupStatsRow> = {
  name: 'rollup_stats',
  key: ['rollup_id'],
  residence: 'all',
  columns: {
    rollup_id: 'int',
    blobs_count: 'int',
    size: 'int',
    fee: 'dec',
    pfb_count: 'int',
    first_message_time: 'time',
    last_message_time: 'time',
  },
}
