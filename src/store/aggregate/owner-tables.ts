import type { TableDef } from '../state/table.ts'

export type NamespaceBucketRow = {
  namespace_id: number
  frame: number
  time: string
  size: number
  blobs_count: number
  pfb_count: number
}

export const namespaceBucketTable: TableDef<NamespaceBucketRow> = {
  name: 'namespace_bucket',
  key: ['namespace_id', 'frame', 'time'],
  residence: 'keys',
  bornWith: 'namespace',
  columns: { namespace_id: 'int', frame: 'int', time: 'time', size: 'int', blobs_count: 'int', pfb_count: 'int' },
}

export type AddressBucketRow = {
  address_id: number
  frame: number
  time: string
  tx_count: number
  gas_wanted: bigint
  gas_used: bigint
  fee: bigint
}

export const addressBucketTable: TableDef<AddressBucketRow> = {
  name: 'address_bucket',
  key: ['address_id', 'frame', 'time'],
  residence: 'keys',
  bornWith: 'address',
  columns: {
    address_id: 'int',
    frame: 'int',
    time: 'time',
    tx_count: 'int',
    gas_wanted: 'amount',
    gas_used: 'amount',
    fee: 'amount',
  },
}

export type RollupBucketRow = {
  rollup_id: number
  frame: number
  time: string
  blobs_count: number
  size: number
  fee: bigint
  pfb_count: number
}

export const rollupBucketTable: TableDef<RollupBucketRow> = {
  name: 'rollup_bucket',
  key: ['rollup_id', 'frame', 'time'],
  residence: 'keys',
  columns: { rollup_id: 'int', frame: 'int', time: 'time', blobs_count: 'int', size: 'int', fee: 'dec', pfb_count: 'int' },
}

export type RollupNamespaceRow = { namespace_id: number; rollup_id: number; blobs_count: number; size: number; last_time: string }

/** The namespace comes first: it may be born within the batch, a rollup never is. */
export const rollupNamespaceTable: TableDef<RollupNamespaceRow> = {
  name: 'rollup_namespace',
  key: ['namespace_id', 'rollup_id'],
  residence: 'keys',
  bornWith: 'namespace',
  columns: { namespace_id: 'int', rollup_id: 'int', blobs_count: 'int', size: 'int', last_time: 'time' },
}

export type TransferBucketRow = {
  frame: number
  time: string
  sent: bigint
  received: bigint
  sent_count: number
  received_count: number
}

const transferColumns = {
  frame: 'int',
  time: 'time',
  sent: 'amount',
  received: 'amount',
  sent_count: 'int',
  received_count: 'int',
} as const

export type IbcBucketRow = { channel_id: string } & TransferBucketRow

export const ibcBucketTable: TableDef<IbcBucketRow> = {
  name: 'ibc_bucket',
  key: ['channel_id', 'frame', 'time'],
  residence: 'keys',
  columns: { channel_id: 'text', ...transferColumns },
}

export type HyperlaneBucketRow = { domain: string } & TransferBucketRow

export const hyperlaneBucketTable: TableDef<HyperlaneBucketRow> = {
  name: 'hl_bucket',
  key: ['domain', 'frame', 'time'],
  residence: 'keys',
  columns: { domain: 'text', ...transferColumns },
}
