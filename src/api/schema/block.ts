import { Type } from 'typebox'
import { MessageType, NamespaceKind } from './enums.ts'
import { ShortValidator } from './validator.ts'
import { Base64, Decimal, DecimalInteger, HexUpper, Integer, Maybe, Model, Time } from './values.ts'

export const BlockStats = Model('BlockStats', {
  tx_count: Integer,
  events_count: Integer,
  blobs_size: Integer,
  blobs_count: Integer,
  fee: Decimal,
  supply_change: Decimal,
  inflation_rate: Decimal,
  fill_rate: Decimal,
  rewards: Decimal,
  commissions: Decimal,
  block_time: Integer,
  gas_limit: Integer,
  gas_used: Integer,
  bytes_in_block: Integer,
  square_size: Integer,
})

export const Block = Model('Block', {
  id: Integer,
  height: Integer,
  time: Time,
  version_block: DecimalInteger,
  version_app: DecimalInteger,
  hash: HexUpper,
  parent_hash: HexUpper,
  last_commit_hash: HexUpper,
  data_hash: HexUpper,
  validators_hash: HexUpper,
  next_validators_hash: HexUpper,
  consensus_hash: HexUpper,
  app_hash: HexUpper,
  last_results_hash: HexUpper,
  evidence_hash: HexUpper,
  proposer: Maybe(ShortValidator),
  message_types: Type.Array(MessageType),
  stats: Maybe(BlockStats),
})

export const ODSItem = Model('ODSItem', {
  from: Type.Array(Integer, { minItems: 2, maxItems: 2 }),
  to: Type.Array(Integer, { minItems: 2, maxItems: 2 }),
  namespace: Base64,
  type: NamespaceKind,
})

export const ODS = Model('ODS', {
  width: Integer,
  items: Type.Array(ODSItem),
})
