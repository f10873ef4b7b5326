import { amount, type Column, dec, float, int, time } from './column.ts'
import { defineTable, type RowOf } from './table-def.ts'

export const blockBucketTable = defineTable({
  name: 'block_bucket',
  key: ['frame', 'time'],
  residence: 'keys',
  columns: {
    frame: int,
    time,
    blocks: int,
    /** days with blocks */
    days: int,
    tx_count: int,
    messages_count: int,
    events_count: int,
    tx_events_count: int,
    blobs_count: int,
    blobs_size: int,
    blobs_fee: dec,
    rollup_blobs_count: int,
    rollup_blobs_size: int,
    rollup_blobs_fee: dec,
    block_time: int,
    bytes_in_block: int,
    gas_limit: amount,
    gas_used: amount,
    fee: amount,
    timeout_height: amount,
    supply_change: amount,
    inflation_rate: dec,
    rewards: dec,
    commissions: dec,
    tps_max: float,
    tps_min: float,
    bps_max: float,
    bps_min: float,
  },
})

export type BlockBucketRow = RowOf<typeof blockBucketTable>

/** Columns of single blocks and of single txs whose extremes are kept; a tx column is prefixed `tx_` in the table. */
export const BLOCK_EXTREMES = {
  tx_count: int,
  events_count: int,
  blobs_count: int,
  blobs_size: int,
  block_time: int,
  bytes_in_block: int,
  gas_limit: amount,
  gas_used: amount,
  fee: amount,
  supply_change: amount,
  inflation_rate: dec,
  rewards: dec,
  commissions: dec,
} as const

export const TX_EXTREMES = {
  tx_gas_wanted: amount,
  tx_gas_used: amount,
  tx_fee: amount,
  tx_timeout_height: amount,
  tx_events_count: int,
  tx_messages_count: int,
} as const

export type ExtremeColumn = keyof typeof BLOCK_EXTREMES | keyof typeof TX_EXTREMES

/** A tx extreme is null in a bucket without txs. */
type Extremes = { [C in `${ExtremeColumn}_min` | `${ExtremeColumn}_max`]: number | bigint | null }

const extremeColumns = Object.fromEntries(
  Object.entries({ ...BLOCK_EXTREMES, ...TX_EXTREMES }).flatMap(([column, type]) => [
    [`${column}_min`, type],
    [`${column}_max`, type],
  ]),
) as { [C in keyof Extremes]: Column<number | bigint | null> }

export const extremeTable = defineTable({
  name: 'extreme_bucket',
  key: ['frame', 'time'],
  residence: 'keys',
  columns: { frame: int, time, ...extremeColumns },
})

export type ExtremeRow = RowOf<typeof extremeTable>
