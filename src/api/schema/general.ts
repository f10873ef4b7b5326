import { Type } from 'typebox'
import { Bool, Decimal, HexLower, Integer, Maybe, Model, Nullable, Text, Time } from './values.ts'

export const State = Model('State', {
  id: Integer,
  version: Integer,
  name: Text,
  chain_id: Text,
  last_height: Integer,
  hash: HexLower,
  last_time: Time,
  total_tx: Integer,
  total_accounts: Integer,
  total_fee: Decimal,
  total_blobs_size: Integer,
  total_proposals: Integer,
  total_validators: Integer,
  total_supply: Decimal,
  total_voting_power: Decimal,
  total_namespaces: Integer,
  total_ibc_clients: Integer,
  synced: Bool,
})

export const DenomUnit = Model('DenomUnit', {
  denom: Text,
  exponent: Integer,
  aliases: Maybe(Type.Array(Text)),
})

export const DenomMetadata = Model('DenomMetadata', {
  description: Text,
  base: Text,
  display: Text,
  name: Text,
  symbol: Text,
  uri: Text,
  units: Nullable(Type.Array(DenomUnit)),
})

export const Constants = Model('Constants', {
  module: Type.Record(Type.String(), Type.Record(Type.String(), Text)),
  denom_metadata: Type.Array(DenomMetadata),
})

export const Enums = Model('Enums', {
  status: Type.Array(Text),
  message_type: Type.Array(Text),
  event_type: Type.Array(Text),
  categories: Type.Array(Text),
  rollup_type: Type.Array(Text),
  tags: Nullable(Type.Array(Text)),
  celestials_statuses: Type.Array(Text),
  proposal_status: Type.Array(Text),
  proposal_type: Type.Array(Text),
  vote_type: Type.Array(Text),
  vote_option: Type.Array(Text),
  ibc_channel_status: Type.Array(Text),
  hyperlane_token_type: Type.Array(Text),
  hyperlane_transfer_type: Type.Array(Text),
  upgrade_status: Type.Array(Text),
})
