import { Type } from 'typebox'
import { ShortAddress } from '../address.ts'
import { IbcChannelStatus } from '../enums.ts'
import { Bool, Decimal, HexLower, Integer, Maybe, Model, Nullable, Text, Time } from '../values.ts'

export const ShortIbcClient = Model('ShortIbcClient', {
  id: Text,
  type: Text,
  chain_id: Text,
})

export const IbcClient = Model('IbcClient', {
  id: Text,
  type: Text,
  created_at: Time,
  updated_at: Time,
  height: Integer,
  chain_id: Text,
  tx_hash: HexLower,
  latest_revision_height: Integer,
  latest_revision_number: Integer,
  frozen_revision_height: Integer,
  frozen_revision_number: Integer,
  trusting_period: Integer,
  unbonding_period: Integer,
  max_clock_drift: Integer,
  trust_level_denominator: Integer,
  trust_level_numerator: Integer,
  connection_count: Integer,
  creator: Maybe(ShortAddress),
})

export const IbcConnection = Model('IbcConnection', {
  id: Text,
  counterparty_connection_id: Text,
  counterparty_client_id: Text,
  created_at: Time,
  connected_at: Time,
  height: Integer,
  connected_height: Integer,
  created_tx_hash: HexLower,
  connected_tx_hash: HexLower,
  channels_count: Integer,
  client: Maybe(ShortIbcClient),
})

export const IbcChannel = Model('IbcChannel', {
  id: Text,
  connection_id: Text,
  port_id: Text,
  counterparty_port_id: Text,
  counterparty_channel_id: Text,
  version: Text,
  created_at: Time,
  confirmed_at: Maybe(Time),
  height: Integer,
  confirmation_height: Maybe(Integer),
  created_tx_hash: HexLower,
  confirmation_tx_hash: Maybe(HexLower),
  ordering: Bool,
  status: IbcChannelStatus,
  client: Maybe(ShortIbcClient),
  creator: Maybe(ShortAddress),
})

export const Contact = Model('Contact', {
  website: Maybe(Text),
  github: Maybe(Text),
  twitter: Maybe(Text),
  telegram: Maybe(Text),
  discord: Maybe(Text),
  medium: Maybe(Text),
})

export const Relayer = Model('Relayer', {
  name: Text,
  logo: Text,
  addresses: Nullable(Type.Array(Text)),
  contact: Maybe(Contact),
})

export const IbcTransfer = Model('IbcTransfer', {
  id: Integer,
  time: Time,
  height: Integer,
  channel_id: Text,
  connection_id: Text,
  port: Text,
  amount: Decimal,
  denom: Text,
  memo: Maybe(Text),
  timeout: Maybe(Time),
  timeout_height: Maybe(Integer),
  tx_hash: HexLower,
  sequence: Integer,
  chain_id: Text,
  sender: Maybe(ShortAddress),
  receiver: Maybe(ShortAddress),
  relayer: Maybe(Relayer),
})
