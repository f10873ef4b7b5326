import type { BlockInput, Family } from '../families/family.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import { BLOCK_EXTREMES, type ExtremeColumn, type ExtremeRow, extremeTable, TX_EXTREMES } from '../state/block-series-tables.ts'
import { bucketsOf } from '../state/bucket.ts'
import type { Wanted } from '../state/loader.ts'
import type { State } from '../state/state.ts'
import { blockTimeOf } from './block.ts'
import { storedGas } from './stored-gas.ts'

type Value = number | bigint
/** Smallest and largest value of each column within one block; null for txs when there are none. */
type Range = { min: Value | null; max: Value | null }

/**
 * Smallest and largest values of single blocks and txs. A row is only touched when a block brings a new extreme, which soon is rare;
 * and a block that stays within the smallest bucket stays within the larger ones, so mostly one row is looked at.
 */
export function createExtremeAggregate(state: State): Family {
  const buckets = state.table(extremeTable)
  return {
    prepare(block: PackedBlock, want: Wanted) {
      for (const [frame, time] of bucketsOf(block.time).ofBlocks) want.row(buckets, frame, time)
    },

    apply(input: BlockInput) {
      const ranges = rangesOf(input, blockTimeOf(state, input))
      for (const [frame, time] of bucketsOf(input.time).ofBlocks) {
        const known = buckets.get(frame, time)
        if (!known) buckets.insert(toRow(frame, time, ranges))
        else if (exceeds(known, ranges)) widen(buckets.edit(frame, time)!, ranges)
        else return
      }
    },
  }
}

const COLUMNS = [...Object.keys(BLOCK_EXTREMES), ...Object.keys(TX_EXTREMES)].map((column) => ({
  min: `${column as ExtremeColumn}_min` as const,
  max: `${column as ExtremeColumn}_max` as const,
}))

/** In the order of COLUMNS. */
function rangesOf({ block: { stats, txs } }: BlockInput, blockTime: number): Range[] {
  const ofBlock: Record<keyof typeof BLOCK_EXTREMES, Value> = {
    tx_count: stats.txCount,
    events_count: stats.eventsCount,
    blobs_count: stats.blobsCount,
    blobs_size: stats.blobsSize,
    block_time: blockTime,
    bytes_in_block: stats.bytesInBlock,
    gas_limit: storedGas(stats.gasLimit),
    gas_used: storedGas(stats.gasUsed),
    fee: stats.feeUtia,
    supply_change: stats.supplyChange,
    inflation_rate: stats.inflationRate,
    rewards: stats.rewards,
    commissions: stats.commissions,
  }
  const ofTxs: Record<keyof typeof TX_EXTREMES, Range> = {
    tx_gas_wanted: rangeOf(txs, (tx) => storedGas(tx.gasWanted)),
    tx_gas_used: rangeOf(txs, (tx) => storedGas(tx.gasUsed)),
    tx_fee: rangeOf(txs, (tx) => tx.feeUtia),
    tx_timeout_height: rangeOf(txs, (tx) => tx.timeoutHeight),
    tx_events_count: rangeOf(txs, (tx) => tx.eventsCount),
    tx_messages_count: rangeOf(txs, (tx) => tx.messagesCount),
  }
  return [...Object.values(ofBlock).map((value) => ({ min: value, max: value })), ...Object.values(ofTxs)]
}

function rangeOf(txs: PackedBlock['txs'], read: (tx: PackedBlock['txs'][number]) => Value): Range {
  let min: Value | null = null
  let max: Value | null = null
  for (const tx of txs) {
    const value = read(tx)
    if (min === null || value < min) min = value
    if (max === null || value > max) max = value
  }
  return { min, max }
}

function toRow(frame: number, time: string, ranges: Range[]): ExtremeRow {
  const row: Record<string, unknown> = { frame, time }
  COLUMNS.forEach(({ min, max }, i) => {
    row[min] = ranges[i]!.min
    row[max] = ranges[i]!.max
  })
  return row as ExtremeRow
}

function exceeds(row: Readonly<ExtremeRow>, ranges: Range[]): boolean {
  return COLUMNS.some(({ min, max }, i) => below(ranges[i]!.min, row[min]) || above(ranges[i]!.max, row[max]))
}

function widen(row: ExtremeRow, ranges: Range[]): void {
  COLUMNS.forEach(({ min, max }, i) => {
    const range = ranges[i]!
    if (below(range.min, row[min])) row[min] = range.min
    if (above(range.max, row[max])) row[max] = range.max
  })
}

const below = (value: Value | null, known: Value | null) => value !== null && (known === null || value < known)
const above = (value: Value | null, known: Value | null) => value !== null && (known === null || value > known)
