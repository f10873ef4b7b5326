import { int, ints, time } from './column.ts'
import { defineTable, type RowOf } from './table-def.ts'

export const messageBucketTable = defineTable({
  name: 'message_bucket',
  key: ['time', 'type'],
  residence: 'keys',
  columns: { time, type: int, count: int },
})

export const squareBucketTable = defineTable({
  name: 'square_bucket',
  key: ['time', 'square_size'],
  residence: 'keys',
  columns: { time, square_size: int, blocks: int },
})

/** `signed`: blocks with the signature of validator i at place i - 1. */
export const signatureBucketTable = defineTable({
  name: 'signature_bucket',
  key: ['frame', 'time'],
  residence: 'keys',
  columns: { frame: int, time, signed: ints },
})

export const blobSizeTable = defineTable({
  name: 'blob_size_bucket',
  key: ['time'],
  residence: 'keys',
  columns: {
    time,
    count_1: int,
    size_1: int,
    count_2: int,
    size_2: int,
    count_3: int,
    size_3: int,
    count_4: int,
    size_4: int,
    count_5: int,
    size_5: int,
  },
})

export type BlobSizeRow = RowOf<typeof blobSizeTable>
