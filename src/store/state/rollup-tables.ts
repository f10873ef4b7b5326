import { dec, int, time } from './column.ts'
import { defineTable } from './table-def.ts'

export const rollupStatsTable = defineTable({
  name: 'rollup_stats',
  key: ['rollup_id'],
  residence: 'all',
  columns: {
    rollup_id: int,
    blobs_count: int,
    size: int,
    fee: dec,
    pfb_count: int,
    first_message_time: time,
    last_message_time: time,
  },
})
