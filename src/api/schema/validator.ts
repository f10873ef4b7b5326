import { Type } from 'typebox'
import { ShortAddress } from './address.ts'
import { Bool, Decimal, DecimalInteger, HexUpper, Integer, Maybe, Model, Text, Time } from './values.ts'

export const ShortValidator = Model('ShortValidator', {
  id: Integer,
  cons_address: HexUpper,
  moniker: Text,
})

export const Validator = Model('Validator', {
  id: Integer,
  version: Integer,
  cons_address: HexUpper,
  moniker: Text,
  website: Text,
  identity: Text,
  contacts: Text,
  details: Text,
  rate: Decimal,
  max_rate: Decimal,
  max_change_rate: Decimal,
  min_self_delegation: Decimal,
  stake: Decimal,
  rewards: DecimalInteger,
  commissions: DecimalInteger,
  voting_power: Decimal,
  jailed: Bool,
  messages_count: Integer,
  creation_time: Time,
  address: ShortAddress,
  delegator: ShortAddress,
})

export const ValidatorCount = Model('ValidatorCount', {
  total: Integer,
  jailed: Integer,
  active: Integer,
  inactive: Integer,
})

export const SignedBlocks = Model('SignedBlocks', {
  height: Integer,
  signed: Bool,
})

export const ValidatorUptime = Model('ValidatorUptime', {
  uptime: Decimal,
  blocks: Type.Array(SignedBlocks),
})

export const MissedBlocks = Model('MissedBlocks', {
  id: Integer,
  moniker: Maybe(Text),
  uptime: Decimal,
  expected: Maybe(Integer),
  signed: Maybe(Integer),
  missed_count: Maybe(Integer),
  missed: Maybe(Type.Array(Integer)),
})

/** The last blocks, or those of a period, and what each validator missed of them. */
export const Uptimes = Model('Uptimes', {
  first_height: Maybe(Integer),
  last_height: Integer,
  blocks: Integer,
  validators: Type.Array(MissedBlocks),
})

export const Jail = Model('Jail', {
  height: Integer,
  time: Time,
  reason: Text,
  burned: Decimal,
  validator: Maybe(ShortValidator),
})

export const Metrics = Model('Metrics', {
  id: Integer,
  moniker: Text,
  max_rate: Decimal,
  max_change_rate: Decimal,
  stake: Decimal,
  creation_time: Time,
  self_delegation_amount: Decimal,
  applied_proposals_count: Integer,
  votes_count: Integer,
  block_missed_count: Integer,
  votes_metric: Decimal,
  commission_metric: Decimal,
  operation_time_metric: Decimal,
  self_delegation_metric: Decimal,
  block_missed_metric: Decimal,
})

export const TopNMetrics = Model('TopNMetrics', {
  votes_metric: Decimal,
  commission_metric: Decimal,
  operation_time_metric: Decimal,
  self_delegation_metric: Decimal,
  block_missed_metric: Decimal,
})
