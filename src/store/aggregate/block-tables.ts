import type { TableDef } from '../state/table.ts'

export type BlockBucketRow = {
  frame: number
  time: string
  blocks: number
  /** days with blocks */
  days: number
  tx_count: number
  messages_count: number
  events_count: number
  tx_events_count: number
  blobs_count: number
  blobs_size: number
  blobs_fee: bigint
  rollup_blobs_count: number
  rollup_blobs_size: number
  rollup_blobs_fee: bigint
  block_time: number
  bytes_in_block: number
  gas_limit: bigint
  gas_used: bigint
  fee: bigint
  timeout_height: bigint
  supply_change: bigint
  inflation_rate: bigint
  rewards: bigint
  commissions: bigint
  tps_max: number
  tps_min: number
  bps_max: number
  bps_min: number
}

export const blockBucketTable: TableDef<BlockBucketRow> = {
  name: 'block_bucket',
  key: ['frame', 'time'],
  residence: 'keys',
  columns: {
    frame: 'int',
    time: 'time',
    blocks: 'int',
    days: 'int',
    tx_count: 'int',
    messages_count: 'int',
    events_count: 'int',
    tx_events_count: 'int',
    blobs_count: 'int',
    blobs_size: 'int',
    blobs_fee: 'dec',
    rollup_blobs_count: 'int',
    rollup_blobs_size: 'int',
    rollup_blobs_fee: 'dec',
    block_time: 'int',
    bytes_in_block: 'int',
    gas_limit: 'amount',
    gas_used: 'amount',
    fee: 'amount',
    timeout_height: 'amount',
    supply_change: 'amount',
    inflation_rate: 'dec',
    rewards: 'dec',
    commissions: 'dec',
    tps_max: 'float',
    tps_min: 'float',
    bps_max: 'float',
    bps_min: 'float',
  },
}

/** Columns of single blocks and of single txs whose extremes are kept; a tx column is prefixed `tx_` in the table. */
export const BLOCK_EXTREMES = {
  tx_count: 'int',
  events_count: 'int',
  blobs_count: 'int',
  blobs_size: 'int',
  block_time: 'int',
  bytes_in_block: 'int',
  gas_limit: 'amount',
  gas_used: 'amount',
  fee: 'amount',
  supply_change: 'amount',
  inflation_rate: 'dec',
  rewards: 'dec',
  commissions: 'dec',
} as const

export const TX_EXTREMES = {
  tx_gas_wanted: 'amount',
  tx_gas_used: 'amount',
  tx_fee: 'amount',
  tx_timeout_height: 'amount',
  tx_events_count: 'int',
  tx_messages_count: 'int',
} as const

export type ExtremeColumn = keyof typeof BLOCK_EXTREMES | keyof typeof TX_EXTREMES

/** A tx extreme is null in a bucket without txs. */
type Extremes = { [C in `${ExtremeColumn}_min` | `${ExtremeColumn}_max`]: number | bigint | null }

export type ExtremeRow = { frame: number; time: string } & Extremes

const EXTREME_COLUMNS = Object.entries({ ...BLOCK_EXTREMES, ...TX_EXTREMES }) as [ExtremeColumn, 'int' | 'amount' | 'dec'][]

export const extremeTable: TableDef<ExtremeRow> = {
  name: 'extreme_bucket',
  key: ['frame', 'time'],
  residence: 'keys',
  columns: {
    frame: 'int',
    time: 'time',
    ...(Object.fromEntries(
      EXTREME_COLUMNS.flatMap(([column, type]) => [
        [`${column}_min`, type],
        [`${column}_max`, type],
      ]),
    ) as { [C in keyof Extremes]: 'int' | 'amount' | 'dec' }),
  },
}
