import { amount, dec, int, text, time, type ValuesOf } from './column.ts'
import { defineTable } from './table-def.ts'

export const namespaceBucketTable = defineTable({
  name: 'namespace_bucket',
  key: ['namespace_id', 'frame', 'time'],
  residence: 'keys',
  bornWith: { namespace_id: 'namespace' },
  columns: { namespace_id: int, frame: int, time, size: int, blobs_count: int, pfb_count: int },
})

export const addressBucketTable = defineTable({
  name: 'address_bucket',
  key: ['address_id', 'frame', 'time'],
  residence: 'keys',
  bornWith: { address_id: 'address' },
  columns: {
    address_id: int,
    frame: int,
    time,
    tx_count: int,
    gas_wanted: amount,
    gas_used: amount,
    fee: amount,
  },
})

export const rollupBucketTable = defineTable({
  name: 'rollup_bucket',
  key: ['rollup_id', 'frame', 'time'],
  residence: 'keys',
  columns: { rollup_id: int, frame: int, time, blobs_count: int, size: int, fee: dec, pfb_count: int },
})

/** The namespace comes first: it may be born within the batch, a rollup never is. */
export const rollupNamespaceTable = defineTable({
  name: 'rollup_namespace',
  key: ['namespace_id', 'rollup_id'],
  residence: 'keys',
  bornWith: { namespace_id: 'namespace' },
  columns: { namespace_id: int, rollup_id: int, blobs_count: int, size: int, last_time: time },
})

const transferColumns = { frame: int, time, sent: amount, received: amount, sent_count: int, received_count: int }

export type TransferBucketRow = ValuesOf<typeof transferColumns>

export const ibcBucketTable = defineTable({
  name: 'ibc_bucket',
  key: ['channel_id', 'frame', 'time'],
  residence: 'keys',
  columns: { channel_id: text, ...transferColumns },
})

export const hyperlaneBucketTable = defineTable({
  name: 'hl_bucket',
  key: ['domain', 'frame', 'time'],
  residence: 'keys',
  columns: { domain: text, ...transferColumns },
})
