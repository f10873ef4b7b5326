import type { Block, GetSeriesName } from '../../src/client/gen/operations.ts'
import { BLOCK_SERIES, SERIES_NAMES } from '../../src/types/block-series.ts'
import { formatBytes, formatCompact, formatPercent, formatTiaShort } from './format.ts'
import type { Measure, Point } from './parts/charts/line.ts'

export type Timeframe = 'hour' | 'day' | 'week' | 'month' | 'year'

/** Rows of the API, in any order, as points in the order of time. */
export function toPoints(rows: readonly { time: string; value: string | number }[]): Point[] {
  return rows
    .map(({ time, value }) => ({ at: Math.floor(Date.parse(time) / 1000), value: Number(value) }))
    .sort((a, b) => a.at - b.at)
}

/** Several series over the same times; those that are not given are not there. */
export type SeriesPoints = Partial<Record<GetSeriesName, Point[]>>

type BlockValue = (stats: NonNullable<Block['stats']>) => number

export type SeriesInfo = {
  title: string
  format: (value: number) => string
  /** the same per block; absent where a block does not tell */
  ofBlock?: BlockValue
  isCumulative?: boolean
  measure: Measure
}

const FORMATS: Record<(typeof BLOCK_SERIES)[GetSeriesName]['unit'], (value: number) => string> = {
  count: formatCompact,
  bytes: formatBytes,
  'bytes-per-second': (value) => `${formatBytes(value)}/s`,
  utia: formatTiaShort,
  price: (value) => String(Number(value.toPrecision(3))),
  share: formatPercent,
  milliseconds: (value) => `${formatCompact(Math.round(value) / 1000)} s`,
}

const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : 0)

/** The value of one block; undefined where its figures do not tell. */
function blockValueOf(name: GetSeriesName): BlockValue | undefined {
  const series = BLOCK_SERIES[name]
  if ('isBucketOnly' in series) return undefined
  const { value, column } = series
  switch (value) {
    case 'sum':
    case 'per-block':
      return (stats) => Number(stats[column])
    case 'per-second':
      return (stats) => ratio(Number(stats[column]) * 1000, stats.block_time)
    case 'per-gas':
      return (stats) => ratio(Number(stats[column]), stats.gas_limit)
  }
}

function infoOf(name: GetSeriesName): SeriesInfo {
  const { title, unit, value } = BLOCK_SERIES[name]
  const ofBlock = blockValueOf(name)
  return {
    title,
    format: FORMATS[unit],
    ...(ofBlock && { ofBlock }),
    isCumulative: 'isCumulative' in BLOCK_SERIES[name],
    measure: value === 'sum' ? 'sum' : 'mean',
  }
}

/** Every series of the API, as a chart shows it. */
export const SERIES = Object.fromEntries(SERIES_NAMES.map((name) => [name, infoOf(name)])) as Record<GetSeriesName, SeriesInfo>

/** Newest blocks first, as the store keeps them; the genesis block has no time before it. */
export function pointsOfBlocks(blocks: readonly Block[], value: BlockValue): Point[] {
  return blocks
    .filter(({ height, stats }) => height > 1 && stats)
    .map(({ height, stats }) => ({ at: height, value: value(stats!) }))
    .reverse()
}
