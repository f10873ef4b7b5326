import { amount, int, oneOf, orNull, text, time } from './column.ts'
import { defineTable, type RowOf } from './table-def.ts'

export const hlMailboxTable = defineTable({
  name: 'hl_mailbox',
  key: ['mailbox'],
  residence: 'all',
  columns: {
    mailbox: text,
    number: int,
    owner_id: orNull(int),
    default_ism: orNull(text),
    default_hook: orNull(text),
    required_hook: orNull(text),
    domain: int,
    sent_messages: int,
    received_messages: int,
    tx_id: orNull(int),
    height: int,
    time,
  },
})

export type HlMailboxRow = RowOf<typeof hlMailboxTable>

export const hlTokenTable = defineTable({
  name: 'hl_token',
  key: ['token_id'],
  residence: 'all',
  columns: {
    token_id: text,
    number: int,
    mailbox: text,
    type: oneOf('collateral', 'synthetic'),
    denom: text,
    owner_id: orNull(int),
    sent: amount,
    received: amount,
    sent_transfers: int,
    received_transfers: int,
    tx_id: orNull(int),
    height: int,
    time,
  },
})

export type HlTokenRow = RowOf<typeof hlTokenTable>

export const hlIgpTable = defineTable({
  name: 'hl_igp',
  key: ['igp_id'],
  residence: 'all',
  columns: { igp_id: text, number: int, owner_id: orNull(int), denom: text, height: int, time },
})

export type HlIgpRow = RowOf<typeof hlIgpTable>

export const hlIgpConfigTable = defineTable({
  name: 'hl_igp_config',
  key: ['igp_id', 'remote_domain'],
  residence: 'all',
  columns: { igp_id: text, remote_domain: int, gas_overhead: amount, gas_price: amount, token_exchange_rate: text },
})

export type HlIgpConfigRow = RowOf<typeof hlIgpConfigTable>
