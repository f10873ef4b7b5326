import { proposalTable, voteTable } from '../state/gov-tables.ts'
import { validatorTable } from '../state/staking-tables.ts'
import { placeId, type StateDataset } from './dataset.ts'

/** Entities of the chain that change: each run rewrites them, as they were after the last final height. */

export const validators: StateDataset = {
  name: 'validators',
  about: 'validators as they are after the last final height',
  needsState: false,
  columns: {
    id: ['int64', 'number of the validator, in order of first appearance'],
    first_height: ['int64', 'height that first named it (blocks.height)'],
    cons_address: ['hex', 'consensus address: 20 bytes'],
    operator: ['address?', 'account that operates it (accounts.address); null where no message created it'],
    delegator: ['address?', 'account that created it and delegated first (accounts.address)'],
    moniker: ['text', 'name that the operator gave it'],
    website: ['text', 'website as the operator states it'],
    identity: ['text', 'Keybase identity as the operator states it'],
    contacts: ['text', 'contact for security matters as the operator states it'],
    details: ['text', 'description by the operator'],
    rate: ['fraction', 'commission rate; 0.05 is 5 %'],
    max_rate: ['fraction', 'highest commission rate that it may ask for'],
    max_change_rate: ['fraction', 'largest change of the commission rate in a day'],
    min_self_delegation: ['decimal', 'utia that the operator has to delegate at least'],
    stake: ['decimal', 'utia that are delegated to it'],
    rewards: ['fraction', 'utia of rewards that it and its delegators have earned so far'],
    commissions: ['fraction', 'utia of commission that were not withdrawn yet'],
    jailed: ['boolean', 'whether it is jailed'],
    bonded: ['boolean', 'whether it is in the active set'],
    version: ['int64', 'application version that it last signalled for'],
    messages_count: ['int64', 'messages that name it'],
    creation_time: ['time', 'time of the block that created it'],
  },
  selectState: (sql, at) => sql`
    select v.id, v.first_height, v.cons_address, v.operator, d.address as delegator, v.moniker, v.website, v.identity, v.contacts, v.details,
           v.rate, v.max_rate, v.max_change_rate, v.min_self_delegation, v.stake, v.rewards, v.commissions, v.jailed, v.bonded, v.version,
           v.messages_count, v.creation_time
    from ${at(validatorTable)} v
    left join address d on d.id = v.delegator_id
    order by v.id`,
}

export const proposals: StateDataset = {
  name: 'proposals',
  about: 'governance proposals as they are after the last final height',
  columns: {
    id: ['int64', 'number of the proposal on the chain'],
    height: ['int64', 'height that submitted it (blocks.height)'],
    created_at: ['time', 'time of that block'],
    proposer: ['address?', 'account that submitted it (accounts.address)'],
    type: ['text', 'kind of the proposal'],
    title: ['text', 'title'],
    description: ['text', 'description'],
    metadata: ['text', 'metadata that came with it'],
    status: ['text', 'inactive (collects deposits), active (is voted on), applied, rejected, failed or removed'],
    expedited: ['boolean', 'whether it is voted on in the short period'],
    deposit: ['decimal', 'utia deposited so far'],
    deposit_time: ['time', 'end of the deposit period'],
    activation_time: ['time?', 'beginning of the vote'],
    end_time: ['time?', 'end of the vote'],
    changes: ['json?', 'parameters that it changes'],
    error: ['text?', 'why it could not be carried out'],
    votes_count: ['int64', 'valid votes'],
    yes: ['int64', 'votes for yes'],
    no: ['int64', 'votes for no'],
    no_with_veto: ['int64', 'votes for no with veto'],
    abstain: ['int64', 'votes for abstain'],
    voting_power: ['decimal', 'utia of stake that voted'],
    yes_voting_power: ['decimal', 'utia of stake for yes'],
    no_voting_power: ['decimal', 'utia of stake for no'],
    no_with_veto_voting_power: ['decimal', 'utia of stake for no with veto'],
    abstain_voting_power: ['decimal', 'utia of stake for abstain'],
    total_voting_power: ['decimal?', 'utia of stake that could vote at the end'],
    quorum: ['text?', 'share of the stake that has to vote'],
    veto_quorum: ['text?', 'share of the votes with veto that rejects it'],
    threshold: ['text?', 'share of yes that passes it'],
    min_deposit: ['text?', 'deposit that opens the vote'],
  },
  selectState: (sql, at) => sql`
    select p.id, p.height, p.created_at, a.address as proposer, p.type, p.title, p.description, p.metadata, p.status, p.expedited, p.deposit,
           p.deposit_time, p.activation_time, p.end_time, p.changes::text as changes, p.error, p.votes_count, p.yes, p.no, p.no_with_veto,
           p.abstain, p.voting_power, p.yes_voting_power, p.no_voting_power, p.no_with_veto_voting_power, p.abstain_voting_power,
           p.total_voting_power, p.quorum, p.veto_quorum, p.threshold, p.min_deposit
    from ${at(proposalTable)} p
    left join address a on a.id = p.proposer_id
    order by p.id`,
}

export const votes: StateDataset = {
  name: 'votes',
  about: 'valid votes on proposals: a later vote of the same account replaces its earlier ones',
  columns: {
    id: placeId('vote'),
    height: ['int64', 'height of the vote (blocks.height)'],
    time: ['time', 'time of that block'],
    proposal_id: ['int64', 'proposal (proposals.id)'],
    voter: ['address', 'account that voted (accounts.address)'],
    validator_id: ['int64?', 'validator that the voter operates (validators.id)'],
    option: ['text', 'yes, no, no_with_veto or abstain'],
    weight: ['fraction', 'part of the vote for this option; 1 for an undivided vote'],
  },
  selectState: (sql, at) => sql`
    select t.id, t.height, t.time, t.proposal_id, a.address as voter, t.validator_id, t.option, t.weight
    from ${at(voteTable)} t
    join address a on a.id = t.voter_id
    order by t.id`,
}
