/** Tables of /stats/summary. */
export type SummaryTable = 'block' | 'block_stats' | 'tx' | 'event' | 'message' | 'validator'
export type SummaryFunction = 'count' | 'min' | 'max' | 'avg' | 'sum'

const EDGES = { height: ['min', 'max'], time: ['min', 'max'] } as const
const ALL = ['min', 'max', 'sum', 'avg'] as const

export const SUMMARY_COLUMNS: Record<SummaryTable, Record<string, readonly SummaryFunction[]>> = {
  block: EDGES,
  block_stats: {
    ...EDGES,
    tx_count: ALL,
    events_count: ALL,
    blobs_size: ALL,
    blobs_count: ALL,
    block_time: ALL,
    gas_limit: ALL,
    gas_used: ALL,
    supply_change: ALL,
    fee: ALL,
    rewards: ALL,
    commissions: ALL,
    bytes_in_block: ALL,
    inflation_rate: ['min', 'max', 'avg'],
  },
  tx: {
    ...EDGES,
    gas_wanted: ALL,
    gas_used: ALL,
    events_count: ALL,
    messages_count: ALL,
    fee: ALL,
    timeout_height: ['min', 'max', 'avg'],
  },
  event: EDGES,
  message: EDGES,
  validator: {},
}

/** Sums of txs as the block rows and buckets hold them. */
export const TX_SUMS: Record<string, string> = {
  gas_wanted: 'gas_limit',
  gas_used: 'gas_used',
  events_count: 'tx_events_count',
  messages_count: 'messages_count',
  fee: 'fee',
}

export function isSummarized(table: SummaryTable, fn: SummaryFunction, column: string): boolean {
  return Object.hasOwn(SUMMARY_COLUMNS[table], column) && SUMMARY_COLUMNS[table][column]!.includes(fn)
}
