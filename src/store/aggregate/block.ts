import { millisBetween } from '../../lib/time.ts'
import type { BlockInput, Family } from '../families/family.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import { type BlockBucketRow, blockBucketTable } from '../state/block-series-tables.ts'
import { type BlockFrame, bucketsOf, DAY, MINUTE, MONTH } from '../state/bucket.ts'
import type { Wanted } from '../state/loader.ts'
import type { State } from '../state/state.ts'
import { storedGas } from './stored-gas.ts'

/** Amounts that one block adds to the sums of its buckets. */
export type BlockSums = Omit<BlockBucketRow, 'frame' | 'time' | 'days' | 'blocks'>

/** Nothing reads rollups by the minute, so a change of their registry need not reach that far. */
const NO_ROLLUPS = { rollup_blobs_count: 0, rollup_blobs_size: 0, rollup_blobs_fee: 0n }

/** Sums over the blocks of a minute, an hour, a day, a month. */
export function createBlockAggregate(state: State): Family {
  const buckets = state.table(blockBucketTable)

  /** True when the bucket begins. */
  const addTo = (frame: BlockFrame, time: string, sums: BlockSums): boolean => {
    const row = buckets.edit(frame, time)
    if (row) {
      addSums(row, sums)
      return false
    }
    // An hour is never divided by its days; a month grows with each day that begins.
    buckets.insert({ frame, time, blocks: 1, days: frame === MONTH ? 0 : 1, ...sums })
    return true
  }

  return {
    prepare(block: PackedBlock, want: Wanted) {
      for (const [frame, time] of bucketsOf(block.time).ofBlocks) want.row(buckets, frame, time)
    },

    apply(input: BlockInput) {
      const starts = bucketsOf(input.time)
      const sums = sumBlock(input, blockTimeOf(state, input))
      let dayBegins = false
      for (const [frame, time] of starts.ofBlocks) {
        const begins = addTo(frame, time, frame === MINUTE ? { ...sums, ...NO_ROLLUPS } : sums)
        if (frame === DAY) dayBegins = begins
      }
      if (dayBegins) buckets.edit(MONTH, starts.month)!.days++
    },
  }
}

/** Milliseconds since the block before; the head row still stands there. */
export function blockTimeOf(state: State, { height, time }: BlockInput): number {
  const before = state.head.get('true')?.last_time ?? ''
  if (height === 0 || before === '') return 0
  if (lastSpan.from !== before || lastSpan.to !== time) lastSpan = { from: before, to: time, ms: millisBetween(before, time) }
  return lastSpan.ms
}

/** Several families ask for the same block. */
let lastSpan = { from: '', to: '', ms: 0 }

export function sumBlock({ block, rollupLinks = [] }: BlockInput, blockTime: number): BlockSums {
  const { stats } = block
  let blobsFee = 0n
  for (const blob of block.blobs) blobsFee += blob.fee
  // A blob of two rollups counts once here.
  const rollupBlobs = { size: 0, fee: 0n, seen: new Set<number>() }
  for (const [, index] of rollupLinks) {
    if (rollupBlobs.seen.has(index)) continue
    rollupBlobs.seen.add(index)
    rollupBlobs.size += block.blobs[index]!.size
    rollupBlobs.fee += block.blobs[index]!.fee
  }
  let timeoutHeight = 0n
  for (const tx of block.txs) timeoutHeight += tx.timeoutHeight
  const seconds = blockTime / 1000
  const tps = seconds > 0 ? stats.txCount / seconds : 0
  const bps = seconds > 0 ? stats.blobsSize / seconds : 0
  return {
    tx_count: stats.txCount,
    messages_count: block.messagesCount,
    events_count: stats.eventsCount,
    tx_events_count: block.txEventsCount,
    blobs_count: stats.blobsCount,
    blobs_size: stats.blobsSize,
    blobs_fee: blobsFee,
    rollup_blobs_count: rollupBlobs.seen.size,
    rollup_blobs_size: rollupBlobs.size,
    rollup_blobs_fee: rollupBlobs.fee,
    block_time: blockTime,
    bytes_in_block: stats.bytesInBlock,
    gas_limit: storedGas(stats.gasLimit),
    gas_used: storedGas(stats.gasUsed),
    fee: stats.feeUtia,
    timeout_height: timeoutHeight,
    supply_change: stats.supplyChange,
    inflation_rate: stats.inflationRate,
    rewards: stats.rewards,
    commissions: stats.commissions,
    tps_max: tps,
    tps_min: tps,
    bps_max: bps,
    bps_min: bps,
  }
}

function addSums(row: BlockBucketRow, sums: BlockSums): void {
  row.blocks++
  row.tx_count += sums.tx_count
  row.messages_count += sums.messages_count
  row.events_count += sums.events_count
  row.tx_events_count += sums.tx_events_count
  row.blobs_count += sums.blobs_count
  row.blobs_size += sums.blobs_size
  row.blobs_fee += sums.blobs_fee
  row.rollup_blobs_count += sums.rollup_blobs_count
  row.rollup_blobs_size += sums.rollup_blobs_size
  row.rollup_blobs_fee += sums.rollup_blobs_fee
  row.block_time += sums.block_time
  row.bytes_in_block += sums.bytes_in_block
  row.gas_limit += sums.gas_limit
  row.gas_used += sums.gas_used
  row.fee += sums.fee
  row.timeout_height += sums.timeout_height
  row.supply_change += sums.supply_change
  row.inflation_rate += sums.inflation_rate
  row.rewards += sums.rewards
  row.commissions += sums.commissions
  row.tps_max = Math.max(row.tps_max, sums.tps_max)
  row.tps_min = Math.min(row.tps_min, sums.tps_min)
  row.bps_max = Math.max(row.bps_max, sums.bps_max)
  row.bps_min = Math.min(row.bps_min, sums.bps_min)
}
