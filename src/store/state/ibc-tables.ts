import type { TableDef } from './table.ts'

export type IbcClientRow = {
  client_id: string
  number: number
  type: string
  chain_id: string
  creator_id: number | null
  tx_id: number | null
  height: number
  created_at: string
  updated_at: string
  latest_revision_number: bigint
  latest_revision_height: bigint
  frozen_revision_number: bigint
  frozen_revision_height: bigint
  trusting_period: bigint
  unbonding_period: bigint
  max_clock_drift: bigint
  trust_level_numerator: bigint
  trust_level_denominator: bigint
  connection_count: number
}

export const ibcClientTable: TableDef<IbcClientRow> = {
  name: 'ibc_client',
  key: ['client_id'],
  residence: 'all',
  columns: {
    client_id: 'text',
    number: 'int',
    type: 'text',
    chain_id: 'text',
    creator_id: 'int',
    tx_id: 'int',
    height: 'int',
    created_at: 'time',
    updated_at: 'time',
    latest_revision_number: 'amount',
    latest_revision_height: 'amount',
    frozen_revision_number: 'amount',
    frozen_revision_height: 'amount',
    trusting_period: 'amount',
    unbonding_period: 'amount',
    max_clock_drift: 'amount',
    trust_level_numerator: 'amount',
    trust_level_denominator: 'amount',
    connection_count: 'int',
  },
}

export type ClientRecoveryRow = { proposal_id: number; client_id: string; substitute_id: string }

/** What proposals would do to clients: the events of a recovery do not name the substitute. */
export const clientRecoveryTable: TableDef<ClientRecoveryRow> = {
  name: 'client_recovery',
  key: ['proposal_id', 'client_id'],
  residence: 'all',
  columns: { proposal_id: 'int', client_id: 'text', substitute_id: 'text' },
  groups: { proposal: (row) => String(row.proposal_id) },
}

export type IbcConnectionRow = {
  connection_id: string
  number: number
  client_id: string
  counterparty_client_id: string
  counterparty_connection_id: string
  created_tx_id: number | null
  height: number
  created_at: string
  connected_tx_id: number | null
  connected_height: number | null
  connected_at: string | null
  channels_count: number
}

export const ibcConnectionTable: TableDef<IbcConnectionRow> = {
  name: 'ibc_connection',
  key: ['connection_id'],
  residence: 'all',
  columns: {
    connection_id: 'text',
    number: 'int',
    client_id: 'text',
    counterparty_client_id: 'text',
    counterparty_connection_id: 'text',
    created_tx_id: 'int',
    height: 'int',
    created_at: 'time',
    connected_tx_id: 'int',
    connected_height: 'int',
    connected_at: 'time',
    channels_count: 'int',
  },
}

export type IbcChannelRow = {
  port_id: string
  channel_id: string
  number: number
  connection_id: string
  client_id: string | null
  counterparty_port_id: string
  counterparty_channel_id: string
  version: string
  ordered: boolean
  status: 'initialization' | 'opened' | 'closed'
  creator_id: number | null
  created_tx_id: number | null
  height: number
  created_at: string
  confirmation_tx_id: number | null
  confirmation_height: number | null
  confirmed_at: string | null
  sent: bigint
  received: bigint
  transfers_count: number
}

export const ibcChannelTable: TableDef<IbcChannelRow> = {
  name: 'ibc_channel',
  key: ['port_id', 'channel_id'],
  residence: 'all',
  columns: {
    port_id: 'text',
    channel_id: 'text',
    number: 'int',
    connection_id: 'text',
    client_id: 'text',
    counterparty_port_id: 'text',
    counterparty_channel_id: 'text',
    version: 'text',
    ordered: 'bool',
    status: 'text',
    creator_id: 'int',
    created_tx_id: 'int',
    height: 'int',
    created_at: 'time',
    confirmation_tx_id: 'int',
    confirmation_height: 'int',
    confirmed_at: 'time',
    sent: 'amount',
    received: 'amount',
    transfers_count: 'int',
  },
}
