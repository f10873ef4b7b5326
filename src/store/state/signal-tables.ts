import { amount, int, oneOf, orNull, time } from './column.ts'
import { defineTable, type RowOf } from './table-def.ts'

export const upgradeTable = defineTable({
  name: 'upgrade',
  key: ['version'],
  residence: 'all',
  columns: {
    version: int,
    height: int,
    time,
    end_height: orNull(int),
    end_time: orNull(time),
    applied_at_level: orNull(int),
    applied_at: orNull(time),
    signer_id: orNull(int),
    tx_id: orNull(int),
    message_id: orNull(int),
    voting_power: amount,
    voted_power: amount,
    signals_count: int,
    status: oneOf('processing', 'waiting_upgrade', 'applied'),
  },
})

export type UpgradeRow = RowOf<typeof upgradeTable>
