import type { TableDef } from './table.ts'

export type HeadRow = {
  one: boolean
  chain_id: string
  genesis_hash: string
  last_height: number
  last_hash: string
  last_time: string
  version: number
  total_tx: number
  total_messages: number
  total_events: number
  total_accounts: number
  total_namespaces: number
  total_blobs: number
  total_blobs_size: number
  total_fee: bigint
  total_validators: number
  total_proposals: number
  total_ibc_clients: number
  total_supply: bigint
  total_voting_power: bigint
  total_vestings: number
  total_unknown_messages: number
  total_undecodable_txs: number
}

export const headTable: TableDef<HeadRow> = {
  name: 'head',
  key: ['one'],
  residence: 'all',
  columns: {
    one: 'bool',
    chain_id: 'text',
    genesis_hash: 'bytes',
    last_height: 'int',
    last_hash: 'bytes',
    last_time: 'time',
    version: 'int',
    total_tx: 'int',
    total_messages: 'int',
    total_events: 'int',
    total_accounts: 'int',
    total_namespaces: 'int',
    total_blobs: 'int',
    total_blobs_size: 'int',
    total_fee: 'amount',
    total_validators: 'int',
    total_proposals: 'int',
    total_ibc_clients: 'int',
    total_supply: 'amount',
    total_voting_power: 'amount',
    total_vestings: 'int',
    total_unknown_messages: 'int',
    total_undecodable_txs: 'int',
  },
}

/** The head when nothing is indexed yet and `height` comes first. */
export function headBefore(height: number, chain: { chainId: string; genesisHash: string }): HeadRow {
  return {
    one: true,
    chain_id: chain.chainId,
    genesis_hash: chain.genesisHash,
    last_height: height - 1,
    last_hash: '',
    last_time: '',
    version: 0,
    total_tx: 0,
    total_messages: 0,
    total_events: 0,
    total_accounts: 0,
    total_namespaces: 0,
    total_blobs: 0,
    total_blobs_size: 0,
    total_fee: 0n,
    total_validators: 0,
    total_proposals: 0,
    total_ibc_clients: 0,
    total_supply: 0n,
    total_voting_power: 0n,
    total_vestings: 0,
    total_unknown_messages: 0,
    total_undecodable_txs: 0,
  }
}

export type AddressRow = {
  id: number
  address: string
  first_height: number
  last_height: number
  name: string | null
  is_forwarding: boolean
  has_native: boolean
  spendable: bigint
  delegated: bigint
  unbonding: bigint
}

/** Keyed by the bytes: that is what blocks name. */
export const addressTable: TableDef<AddressRow> = {
  name: 'address',
  key: ['address'],
  residence: 'keys',
  columns: {
    id: 'int',
    address: 'bytes',
    first_height: 'int',
    last_height: 'int',
    name: 'text',
    is_forwarding: 'bool',
    has_native: 'bool',
    spendable: 'amount',
    delegated: 'amount',
    unbonding: 'amount',
  },
  groups: { id: (row) => String(row.id) },
}

export type BalanceRow = { address_id: number; denom: string; amount: bigint }

export const balanceTable: TableDef<BalanceRow> = {
  name: 'balance',
  key: ['address_id', 'denom'],
  residence: 'keys',
  bornWith: 'address',
  columns: { address_id: 'int', denom: 'text', amount: 'amount' },
}

export type SupplyRow = { denom: string; amount: bigint }

export const supplyTable: TableDef<SupplyRow> = {
  name: 'supply',
  key: ['denom'],
  residence: 'all',
  columns: { denom: 'text', amount: 'amount' },
}

export type NamespaceRow = {
  id: number
  version: number
  namespace_id: string
  first_height: number
  last_height: number
  last_message_time: string
  size: number
  blobs_count: number
  pfb_count: number
  reserved: boolean
}

export const namespaceTable: TableDef<NamespaceRow> = {
  name: 'namespace',
  key: ['namespace_id', 'version'],
  residence: 'keys',
  columns: {
    id: 'int',
    version: 'int',
    namespace_id: 'bytes',
    first_height: 'int',
    last_height: 'int',
    last_message_time: 'time',
    size: 'int',
    blobs_count: 'int',
    pfb_count: 'int',
    reserved: 'bool',
  },
}
