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
  /** Totals are left out where the index began without state: what was before is not counted. */
  total_tx: Maybe(Integer),
  total_accounts: Maybe(Integer),
  total_fee: Maybe(Decimal),
  total_blobs_size: Maybe(Integer),
  total_proposals: Maybe(Integer),
  total_validators: Maybe(Integer),
  total_supply: Maybe(Decimal),
  total_voting_power: Maybe(Decimal),
  total_namespaces: Maybe(Integer),
  total_ibc_clients: Maybe(Integer),
  synced: Bool,
  no_state_before: Maybe(
    Type.Integer({
      description:
        'the first height of an index that began without the state of the chain: it has no totals, and answers that depend on the state are 409 `no_state`',
    }),
  ),
})

export const DatasetColumn = Model('DatasetColumn', {
  name: Text,
  type: Text,
  nullable: Bool,
  description: Text,
})

export const Dataset = Model('Dataset', {
  name: Text,
  description: Text,
  replaced: Bool,
  columns: Type.Array(DatasetColumn),
})

/** Index of what `astrolabe export` writes. */
export const Datasets = Model('Datasets', {
  formats: Type.Array(Text),
  datasets: Type.Array(Dataset),
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
