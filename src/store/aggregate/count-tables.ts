import type { TableDef } from '../state/table.ts'

export type MessageBucketRow = { time: string; type: number; count: number }

export const messageBucketTable: TableDef<MessageBucketRow> = {
  name: 'message_bucket',
  key: ['time', 'type'],
  residence: 'keys',
  columns: { time: 'time', type: 'int', count: 'int' },
}

export type SquareBucketRow = { time: string; square_size: number; blocks: number }

export const squareBucketTable: TableDef<SquareBucketRow> = {
  name: 'square_bucket',
  key: ['time', 'square_size'],
  residence: 'keys',
  columns: { time: 'time', square_size: 'int', blocks: 'int' },
}

export type BlobSizeRow = {
  time: string
  count_1: number
  size_1: number
  count_2: number
  size_2: number
  count_3: number
  size_3: number
  count_4: number
  size_4: number
  count_5: number
  size_5: number
}

export const blobSizeTable: TableDef<BlobSizeRow> = {
  name: 'blob_size_bucket',
  key: ['time'],
  residence: 'keys',
  columns: {
    time: 'time',
    count_1: 'int',
    size_1: 'int',
    count_2: 'int',
    size_2: 'int',
    count_3: 'int',
    size_3: 'int',
    count_4: 'int',
    size_4: 'int',
    count_5: 'int',
    size_5: 'int',
  },
}
