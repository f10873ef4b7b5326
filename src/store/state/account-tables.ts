import { amount, bool, bytes, int, orNull, text, time } from './column.ts'
import { defineTable, type RowOf } from './table-def.ts'

export const headTable = defineTable({
  name: 'head',
  key: ['one'],
  residence: 'all',
  columns: {
    one: bool,
    chain_id: text,
    genesis_hash: bytes,
    last_height: int,
    last_hash: bytes,
    last_time: time,
    version: int,
    total_tx: int,
    total_messages: int,
    total_events: int,
    total_accounts: int,
    total_namespaces: int,
    total_blobs: int,
    total_blobs_size: int,
    total_fee: amount,
    total_validators: int,
    total_proposals: int,
    total_ibc_clients: int,
    total_supply: amount,
    total_voting_power: amount,
    total_vestings: int,
    total_unknown_messages: int,
    total_undecodable_txs: int,
    /** over the tx results of the last block, which the next header states; null when not known. Last, as old undo records lack it. */
    results_hash: orNull(bytes),
  },
})

export type HeadRow = RowOf<typeof headTable>

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
    results_hash: null,
  }
}

/** Keyed by the bytes: that is what blocks name. */
export const addressTable = defineTable({
  name: 'address',
  key: ['address'],
  residence: 'keys',
  columns: {
    id: int,
    address: bytes,
    first_height: int,
    last_height: int,
    name: orNull(text),
    is_forwarding: bool,
    has_native: bool,
    spendable: amount,
    delegated: amount,
    unbonding: amount,
  },
  groups: { id: (row) => String(row.id) },
})

export type AddressRow = RowOf<typeof addressTable>

export const balanceTable = defineTable({
  name: 'balance',
  key: ['address_id', 'denom'],
  residence: 'keys',
  bornWith: { address_id: 'address' },
  columns: { address_id: int, denom: text, amount },
})

export type BalanceRow = RowOf<typeof balanceTable>

export const supplyTable = defineTable({
  name: 'supply',
  key: ['denom'],
  residence: 'all',
  columns: { denom: text, amount },
})

export const namespaceTable = defineTable({
  name: 'namespace',
  key: ['namespace_id', 'version'],
  residence: 'keys',
  columns: {
    id: int,
    version: int,
    namespace_id: bytes,
    first_height: int,
    last_height: int,
    last_message_time: time,
    size: int,
    blobs_count: int,
    pfb_count: int,
    reserved: bool,
  },
})

export type NamespaceRow = RowOf<typeof namespaceTable>
