import type { PackedBlock } from '../pack/pack-block.ts'
import type { Wanted } from '../state/loader.ts'
import type { State } from '../state/state.ts'
import type { BlockInput, Family } from '../write/family.ts'
import { blockTimeOf } from './block.ts'
import { EXTREME_COLUMNS, type ExtremeRow, type Extremes, extremeTable } from './block-tables.ts'
import { bucketsOf } from './bucket.ts'
import { storedGas } from './stored-gas.ts'

/** Smallest and largest values of single blocks and txs. Rows are only touched when a block brings a new extreme, which soon is rare. */
export function createExtremeAggregate(state: State): Family {
  const buckets = state.table(extremeTable)
  return {
    prepare(block: PackedBlock, want: Wanted) {
      for (const [frame, time] of bucketsOf(block.time).framed) want.row(buckets, frame, time)
    },

    apply(input: BlockInput) {
      const ofBlock = extremesOf(input, blockTimeOf(state, input))
      for (const [frame, time] of bucketsOf(input.time).framed) {
        const known = buckets.get(frame, time)
        if (!known) buckets.insert({ frame, time, ...ofBlock })
        else if (changes(known, ofBlock)) widen(buckets.edit(frame, time)!, ofBlock)
      }
    },
  }
}

const PAIRS = EXTREME_COLUMNS.map(([column]) => [`${column}_min`, `${column}_max`] as const)

function changes(row: Readonly<ExtremeRow>, block: Extremes): boolean {
  for (const [min, max] of PAIRS) {
    const [low, high] = [block[min], block[max]]
    if (low === null || high === null) continue
    const [knownLow, knownHigh] = [row[min], row[max]]
    if (knownLow === null || knownHigh === null || low < knownLow || high > knownHigh) return true
  }
  return false
}

function widen(row: ExtremeRow, block: Extremes): void {
  for (const [min, max] of PAIRS) {
    const [low, high] = [block[min], block[max]]
    if (low === null || high === null) continue
    const [knownLow, knownHigh] = [row[min], row[max]]
    if (knownLow === null || low < knownLow) row[min] = low
    if (knownHigh === null || high > knownHigh) row[max] = high
  }
}

function extremesOf({ block }: BlockInput, blockTime: number): Extremes {
  const { stats, txs } = block
  const single = <C extends string>(column: C, value: number | bigint) =>
    ({ [`${column}_min`]: value, [`${column}_max`]: value }) as { [K in `${C}_min` | `${C}_max`]: number | bigint }
  return {
    ...single('tx_count', stats.txCount),
    ...single('events_count', stats.eventsCount),
    ...single('blobs_count', stats.blobsCount),
    ...single('blobs_size', stats.blobsSize),
    ...single('block_time', blockTime),
    ...single('bytes_in_block', stats.bytesInBlock),
    ...single('gas_limit', storedGas(stats.gasLimit)),
    ...single('gas_used', storedGas(stats.gasUsed)),
    ...single('fee', stats.feeUtia),
    ...single('supply_change', stats.supplyChange),
    ...single('inflation_rate', stats.inflationRate),
    ...single('rewards', stats.rewards),
    ...single('commissions', stats.commissions),
    ...ofTxs('tx_gas_wanted', txs, (tx) => storedGas(tx.gasWanted)),
    ...ofTxs('tx_gas_used', txs, (tx) => storedGas(tx.gasUsed)),
    ...ofTxs('tx_fee', txs, (tx) => tx.feeUtia),
    ...ofTxs('tx_timeout_height', txs, (tx) => tx.timeoutHeight),
    ...ofTxs('tx_events_count', txs, (tx) => tx.eventsCount),
    ...ofTxs('tx_messages_count', txs, (tx) => tx.messagesCount),
  }
}

function ofTxs<C extends string>(
  column: C,
  txs: PackedBlock['txs'],
  valueIn: (tx: PackedBlock['txs'][number]) => number | bigint,
): { [K in `${C}_min` | `${C}_max`]: number | bigint | null } {
  let min: number | bigint | null = null
  let max: number | bigint | null = null
  for (const tx of txs) {
    const value = valueIn(tx)
    if (min === null || value < min) min = value
    if (max === null || value > max) max = value
  }
  return { [`${column}_min`]: min, [`${column}_max`]: max } as { [K in `${C}_min` | `${C}_max`]: number | bigint | null }
}
