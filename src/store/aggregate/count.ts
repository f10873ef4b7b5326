import type { BlockInput, Family } from '../families/family.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import { bucketsOf } from '../state/bucket.ts'
import { type BlobSizeRow, blobSizeTable, messageBucketTable, squareBucketTable } from '../state/count-series-tables.ts'
import type { Wanted } from '../state/loader.ts'
import type { State } from '../state/state.ts'

/** Largest size of the first four groups in bytes; the fifth takes the rest. */
export const SIZE_GROUP_LIMITS = [1_000, 10_000, 100_000, 1_000_000] as const

/** Counts by kind: messages by type and blobs by size per hour, blocks by square size per day. */
export function createCountAggregate(state: State): Family {
  const messages = state.table(messageBucketTable)
  const squares = state.table(squareBucketTable)
  const blobSizes = state.table(blobSizeTable)
  return {
    prepare(block: PackedBlock, want: Wanted) {
      const { hour, day } = bucketsOf(block.time)
      for (const [type] of block.messageTypeCounts) want.row(messages, hour, type)
      want.row(squares, day, block.stats.squareSize)
      if (block.blobs.length > 0) want.row(blobSizes, hour)
    },

    apply({ block, time }: BlockInput) {
      const { hour, day } = bucketsOf(time)
      for (const [type, count] of block.messageTypeCounts) {
        const row = messages.edit(hour, type) ?? messages.insert({ time: hour, type, count: 0 })
        row.count += count
      }
      const squareSize = block.stats.squareSize
      const square = squares.edit(day, squareSize) ?? squares.insert({ time: day, square_size: squareSize, blocks: 0 })
      square.blocks++
      if (block.blobs.length === 0) return
      const sizes = blobSizes.edit(hour) ?? blobSizes.insert(emptySizes(hour))
      for (const { size } of block.blobs) {
        const group = groupOf(size)
        sizes[`count_${group}`]++
        sizes[`size_${group}`] += size
      }
    },
  }
}

function groupOf(size: number): 1 | 2 | 3 | 4 | 5 {
  const at = SIZE_GROUP_LIMITS.findIndex((limit) => size <= limit)
  return ((at < 0 ? SIZE_GROUP_LIMITS.length : at) + 1) as 1 | 2 | 3 | 4 | 5
}

const emptySizes = (time: string): BlobSizeRow => ({
  time,
  count_1: 0,
  size_1: 0,
  count_2: 0,
  size_2: 0,
  count_3: 0,
  size_3: 0,
  count_4: 0,
  size_4: 0,
  count_5: 0,
  size_5: 0,
})
