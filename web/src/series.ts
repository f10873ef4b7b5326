import type { Block, GetSeriesName } from '../../src/client/gen/operations.ts'
import { formatBytes, formatCompact, formatPercent, formatTiaShort } from './format.ts'
import type { Point } from './parts/chart.tsx'

export type Timeframe = 'hour' | 'day' | 'week' | 'month' | 'year'

const SECONDS_PER_DAY = 86_400
/** How far back a chart goes, in days, so that its bars can be told apart. */
const REACH: Record<Timeframe, number | undefined> = { hour: 7, day: 90, week: 730, month: undefined, year: undefined }

/** Start of a chart that ends at `now`, unix seconds; undefined for the beginning of the chain. */
export function startOf(timeframe: Timeframe, now: string | undefined): number | undefined {
  const days = REACH[timeframe]
  return days === undefined || now === undefined ? undefined : Math.floor(Date.parse(now) / 1000) - days * SECONDS_PER_DAY
}

/** Rows of the API, in any order, as points in the order of time. */
export function toPoints(rows: readonly { time: string; value: string | number }[]): Point[] {
  return rows
    .map(({ time, value }) => ({ at: Math.floor(Date.parse(time) / 1000), value: Number(value) }))
    .sort((a, b) => a.at - b.at)
}

type BlockValue = (stats: NonNullable<Block['stats']>) => number

export type SeriesInfo = {
  title: string
  format: (value: number) => string
  /** the same per block; absent where a block does not tell */
  ofBlock?: BlockValue
  isCumulative?: boolean
}

const perSecond = (value: (stats: NonNullable<Block['stats']>) => number): BlockValue => {
  return (stats) => (stats.block_time > 0 ? (value(stats) * 1000) / stats.block_time : 0)
}
const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : 0)
const rate = (value: number) => `${formatBytes(value)}/s`
const milliseconds = (value: number) => `${formatCompact(Math.round(value) / 1000)} s`
const price = (value: number) => String(Number(value.toPrecision(3)))

/** Every series of the API: a series that is not here does not compile. */
export const SERIES: Record<GetSeriesName, SeriesInfo> = {
  blobs_size: { title: 'Blob data', format: formatBytes, ofBlock: (s) => s.blobs_size, isCumulative: true },
  blobs_count: { title: 'Blobs', format: formatCompact, ofBlock: (s) => s.blobs_count, isCumulative: true },
  tx_count: { title: 'Transactions', format: formatCompact, ofBlock: (s) => s.tx_count, isCumulative: true },
  tps: { title: 'Transactions per second', format: formatCompact, ofBlock: perSecond((s) => s.tx_count) },
  bps: { title: 'Blob bytes per second', format: rate, ofBlock: perSecond((s) => s.blobs_size) },
  rbps: { title: 'Rollup bytes per second', format: rate },
  fee: { title: 'Fees', format: formatTiaShort, ofBlock: (s) => Number(s.fee), isCumulative: true },
  gas_price: { title: 'Gas price, utia', format: price, ofBlock: (s) => ratio(Number(s.fee), s.gas_limit) },
  gas_used: { title: 'Gas used', format: formatCompact, ofBlock: (s) => s.gas_used, isCumulative: true },
  gas_limit: { title: 'Gas limit', format: formatCompact, ofBlock: (s) => s.gas_limit, isCumulative: true },
  gas_efficiency: { title: 'Gas efficiency', format: formatPercent, ofBlock: (s) => ratio(s.gas_used, s.gas_limit) },
  bytes_in_block: { title: 'Block bytes', format: formatBytes, ofBlock: (s) => s.bytes_in_block, isCumulative: true },
  block_time: { title: 'Block time', format: milliseconds, ofBlock: (s) => s.block_time },
  events_count: { title: 'Block events', format: formatCompact, ofBlock: (s) => s.events_count },
  supply_change: { title: 'Supply change', format: formatTiaShort, ofBlock: (s) => Number(s.supply_change), isCumulative: true },
  rewards: { title: 'Staking rewards', format: formatTiaShort, ofBlock: (s) => Number(s.rewards) },
  commissions: { title: 'Commissions', format: formatTiaShort, ofBlock: (s) => Number(s.commissions) },
}

/** Newest blocks first, as the store keeps them; the genesis block has no time before it. */
export function pointsOfBlocks(blocks: readonly Block[], value: BlockValue): Point[] {
  return blocks
    .filter(({ height, stats }) => height > 1 && stats)
    .map(({ height, stats }) => ({ at: height, value: value(stats!) }))
    .reverse()
}
