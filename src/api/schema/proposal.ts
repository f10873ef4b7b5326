import { Type } from 'typebox'
import { ShortAddress } from './address.ts'
import { ProposalStatus, ProposalType, VoteOption } from './enums.ts'
import { ShortValidator } from './validator.ts'
import { Decimal, described, Integer, Maybe, Model, Text, Time } from './values.ts'

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
  total_voting_power: described(
    Decimal,
    'voting power of all bonded validators when the vote ended, in whole TIA (one unit for 1,000,000 utia); 0 before the end',
  ),
  voting_power: described(Decimal, 'stake that has voted, in utia: the turnout is `voting_power` / `bonded_stake`'),
  yes_voting_power: described(Decimal, 'of it for the proposal, in utia'),
  no_voting_power: described(Decimal, 'of it against, in utia'),
  no_with_veto_voting_power: described(Decimal, 'of it against with a veto, in utia'),
  abstain_voting_power: described(Decimal, 'of it for none, in utia'),
  bonded_stake: Maybe(
    described(
      Decimal,
      'stake that can vote, in utia: `total_voting_power` when the vote ended, the present one while it continues; absent where there is no vote',
    ),
  ),
  quorum: Maybe(described(Decimal, 'turnout that the vote needed, as a part of 1; while it continues, the one that it needs')),
  veto_quorum: Maybe(described(Decimal, 'part of the stake that voted whose vetoes reject the proposal')),
  threshold: Maybe(described(Decimal, 'part of yes among yes, no and veto above which the proposal passes')),
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
