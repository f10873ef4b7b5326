/**
 * The series over all blocks, each defined here alone: what its value is made of, whether it is also given as a running sum and on the
 * paid surface, and how a chart names it. Routes, statements, the paid catalog and the page's charts follow from this table.
 */
type Definition = {
  /** sum of a bucket column, or that sum divided by the seconds, by the gas limit or by the blocks of the bucket */
  value: 'sum' | 'per-second' | 'per-gas' | 'per-block'
  column: string
  /** the bucket keeps the extremes of single blocks in `<name>_max` and `<name>_min` */
  hasExtremes?: true
  isCumulative?: true
  isPaid?: true
  title: string
  unit: 'count' | 'bytes' | 'bytes-per-second' | 'utia' | 'price' | 'share' | 'milliseconds'
  /** the figures of a single block do not tell the column */
  isBucketOnly?: true
}

export const BLOCK_SERIES = {
  blobs_size: { value: 'sum', column: 'blobs_size', isCumulative: true, isPaid: true, title: 'Blob data', unit: 'bytes' },
  blobs_count: { value: 'sum', column: 'blobs_count', isCumulative: true, isPaid: true, title: 'Blobs', unit: 'count' },
  tps: {
    value: 'per-second',
    column: 'tx_count',
    hasExtremes: true,
    isPaid: true,
    title: 'Transactions per second',
    unit: 'count',
  },
  bps: {
    value: 'per-second',
    column: 'blobs_size',
    hasExtremes: true,
    isPaid: true,
    title: 'Blob bytes per second',
    unit: 'bytes-per-second',
  },
  rbps: {
    value: 'per-second',
    column: 'rollup_blobs_size',
    isPaid: true,
    title: 'Rollup bytes per second',
    unit: 'bytes-per-second',
    isBucketOnly: true,
  },
  fee: { value: 'sum', column: 'fee', isCumulative: true, isPaid: true, title: 'Fees', unit: 'utia' },
  supply_change: { value: 'sum', column: 'supply_change', isCumulative: true, title: 'Supply change', unit: 'utia' },
  block_time: { value: 'per-block', column: 'block_time', isPaid: true, title: 'Block time', unit: 'milliseconds' },
  tx_count: { value: 'sum', column: 'tx_count', isCumulative: true, isPaid: true, title: 'Transactions', unit: 'count' },
  events_count: { value: 'sum', column: 'events_count', title: 'Block events', unit: 'count' },
  gas_price: { value: 'per-gas', column: 'fee', isPaid: true, title: 'Gas price, utia', unit: 'price' },
  gas_efficiency: { value: 'per-gas', column: 'gas_used', title: 'Gas efficiency', unit: 'share' },
  gas_used: { value: 'sum', column: 'gas_used', isCumulative: true, isPaid: true, title: 'Gas used', unit: 'count' },
  gas_limit: { value: 'sum', column: 'gas_limit', isCumulative: true, isPaid: true, title: 'Gas limit', unit: 'count' },
  bytes_in_block: {
    value: 'sum',
    column: 'bytes_in_block',
    isCumulative: true,
    isPaid: true,
    title: 'Block bytes',
    unit: 'bytes',
  },
  rewards: { value: 'sum', column: 'rewards', title: 'Staking rewards', unit: 'utia' },
  commissions: { value: 'sum', column: 'commissions', title: 'Commissions', unit: 'utia' },
} as const satisfies Record<string, Definition>

type Series = typeof BLOCK_SERIES

export type SeriesName = keyof Series

/** Names of the series that have a mark. */
type Marked<Mark extends string> = { [N in SeriesName]: Series[N] extends Record<Mark, true> ? N : never }[SeriesName]

export type CumulativeName = Marked<'isCumulative'>
export type PaidSeriesName = Marked<'isPaid'>

const marked = <Mark extends 'isCumulative' | 'isPaid'>(mark: Mark) =>
  SERIES_NAMES.filter((name) => mark in BLOCK_SERIES[name]) as Marked<Mark>[]

export const SERIES_NAMES = Object.keys(BLOCK_SERIES) as SeriesName[]
export const CUMULATIVE_NAMES = marked('isCumulative')
export const PAID_SERIES_NAMES = marked('isPaid')
