import { amount, bool, int, oneOf, orNull, text, time } from './column.ts'
import { defineTable, type RowOf } from './table-def.ts'

export const ibcClientTable = defineTable({
  name: 'ibc_client',
  key: ['client_id'],
  residence: 'all',
  columns: {
    client_id: text,
    number: int,
    type: text,
    chain_id: text,
    creator_id: orNull(int),
    tx_id: orNull(int),
    height: int,
    created_at: time,
    updated_at: time,
    latest_revision_number: amount,
    latest_revision_height: amount,
    frozen_revision_number: amount,
    frozen_revision_height: amount,
    trusting_period: amount,
    unbonding_period: amount,
    max_clock_drift: amount,
    trust_level_numerator: amount,
    trust_level_denominator: amount,
    connection_count: int,
  },
})

export type IbcClientRow = RowOf<typeof ibcClientTable>

/** What proposals would do to clients: the events of a recovery do not name the substitute. */
export const clientRecoveryTable = defineTable({
  name: 'client_recovery',
  key: ['proposal_id', 'client_id'],
  residence: 'all',
  columns: { proposal_id: int, client_id: text, substitute_id: text },
  groups: { proposal: (row) => String(row.proposal_id) },
})

export const ibcConnectionTable = defineTable({
  name: 'ibc_connection',
  key: ['connection_id'],
  residence: 'all',
  columns: {
    connection_id: text,
    number: int,
    client_id: text,
    counterparty_client_id: text,
    counterparty_connection_id: text,
    created_tx_id: orNull(int),
    height: int,
    created_at: time,
    connected_tx_id: orNull(int),
    connected_height: orNull(int),
    connected_at: orNull(time),
    channels_count: int,
  },
})

export type IbcConnectionRow = RowOf<typeof ibcConnectionTable>

export const ibcChannelTable = defineTable({
  name: 'ibc_channel',
  key: ['port_id', 'channel_id'],
  residence: 'all',
  columns: {
    port_id: text,
    channel_id: text,
    number: int,
    connection_id: text,
    client_id: orNull(text),
    counterparty_port_id: text,
    counterparty_channel_id: text,
    version: text,
    ordered: bool,
    status: oneOf('initialization', 'opened', 'closed'),
    creator_id: orNull(int),
    created_tx_id: orNull(int),
    height: int,
    created_at: time,
    confirmation_tx_id: orNull(int),
    confirmation_height: orNull(int),
    confirmed_at: orNull(time),
    sent: amount,
    received: amount,
    transfers_count: int,
  },
})

export type IbcChannelRow = RowOf<typeof ibcChannelTable>
