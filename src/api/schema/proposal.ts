import { Type } from 'typebox'
import { ShortAddress } from './address.ts'
import { ProposalStatus, ProposalType, VoteOption } from './enums.ts'
import { ShortValidator } from './validator.ts'
import { Decimal, Integer, Maybe, Model, Text, Time } from './values.ts'

export const ParamChange = Model('ParamChange', {
  subspace: Maybe(Text),
  key: Maybe(Text),
  value: Maybe(Text),
})

export const ShortProposal = Model('ShortProposal', {
  id: Integer,
  status: ProposalStatus,
  title: Text,
  description: Text,
})

export const Proposal = Model('Proposal', {
  id: Integer,
  height: Integer,
  created_at: Time,
  deposit_time: Time,
  activation_time: Maybe(Time),
  end_time: Maybe(Time),
  status: ProposalStatus,
  type: ProposalType,
  title: Text,
  description: Text,
  deposit: Decimal,
  metadata: Maybe(Text),
  votes_count: Integer,
  yes: Integer,
  no: Integer,
  no_with_veto: Integer,
  abstain: Integer,
  yes_vals: Integer,
  no_vals: Integer,
  no_with_veto_vals: Integer,
  abstain_vals: Integer,
  yes_addrs: Integer,
  no_addrs: Integer,
  no_with_veto_addrs: Integer,
  abstain_addrs: Integer,
  total_voting_power: Decimal,
  voting_power: Decimal,
  yes_voting_power: Decimal,
  no_voting_power: Decimal,
  no_with_veto_voting_power: Decimal,
  abstain_voting_power: Decimal,
  quorum: Maybe(Decimal),
  veto_quorum: Maybe(Decimal),
  threshold: Maybe(Decimal),
  min_deposit: Maybe(Text),
  error: Maybe(Text),
  changes: Maybe(Type.Union([Type.Array(ParamChange), Type.Record(Type.String(), Type.Unknown())])),
  proposer: Maybe(ShortAddress),
})

export const Vote = Model('Vote', {
  id: Integer,
  height: Integer,
  deposit_time: Time,
  status: VoteOption,
  weight: Decimal,
  voter_id: Integer,
  proposal_id: Integer,
  voter: Maybe(ShortAddress),
  validator: Maybe(ShortValidator),
  proposal: Maybe(ShortProposal),
})
