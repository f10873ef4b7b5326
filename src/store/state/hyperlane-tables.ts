import type { TableDef } from './table.ts'

export type HlMailboxRow = {
  mailbox: string
  number: number
  owner_id: number | null
  default_ism: string | null
  default_hook: string | null
  required_hook: string | null
  domain: number
  sent_messages: number
  received_messages: number
  tx_id: number | null
  height: number
  time: string
}

export const hlMailboxTable: TableDef<HlMailboxRow> = {
  name: 'hl_mailbox',
  key: ['mailbox'],
  residence: 'all',
  columns: {
    mailbox: 'text',
    number: 'int',
    owner_id: 'int',
    default_ism: 'text',
    default_hook: 'text',
    required_hook: 'text',
    domain: 'int',
    sent_messages: 'int',
    received_messages: 'int',
    tx_id: 'int',
    height: 'int',
    time: 'time',
  },
}

export type HlTokenRow = {
  token_id: string
  number: number
  mailbox: string
  type: 'collateral' | 'synthetic'
  denom: string
  owner_id: number | null
  sent: bigint
  received: bigint
  sent_transfers: number
  received_transfers: number
  tx_id: number | null
  height: number
  time: string
}

export const hlTokenTable: TableDef<HlTokenRow> = {
  name: 'hl_token',
  key: ['token_id'],
  residence: 'all',
  columns: {
    token_id: 'text',
    number: 'int',
    mailbox: 'text',
    type: 'text',
    denom: 'text',
    owner_id: 'int',
    sent: 'amount',
    received: 'amount',
    sent_transfers: 'int',
    received_transfers: 'int',
    tx_id: 'int',
    height: 'int',
    time: 'time',
  },
}

export type HlIgpRow = { igp_id: string; number: number; owner_id: number | null; denom: string; height: number; time: string }

export const hlIgpTable: TableDef<HlIgpRow> = {
  name: 'hl_igp',
  key: ['igp_id'],
  residence: 'all',
  columns: { igp_id: 'text', number: 'int', owner_id: 'int', denom: 'text', height: 'int', time: 'time' },
}

export type HlIgpConfigRow = {
  igp_id: string
  remote_domain: number
  gas_overhead: bigint
  gas_price: bigint
  token_exchange_rate: string
}

export const hlIgpConfigTable: TableDef<HlIgpConfigRow> = {
  name: 'hl_igp_config',
  key: ['igp_id', 'remote_domain'],
  residence: 'all',
  columns: { igp_id: 'text', remote_domain: 'int', gas_overhead: 'amount', gas_price: 'amount', token_exchange_rate: 'text' },
}
