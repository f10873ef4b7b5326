import { amount, bool, dec, int, json, oneOf, orNull, text, time } from './column.ts'
import { defineTable, type RowOf } from './table-def.ts'

export const proposalTable = defineTable({
  name: 'proposal',
  key: ['id'],
  residence: 'all',
  columns: {
    id: int,
    height: int,
    created_at: time,
    proposer_id: orNull(int),
    deposit_time: time,
    activation_time: orNull(time),
    end_time: orNull(time),
    status: text,
    type: text,
    title: text,
    description: text,
    metadata: text,
    expedited: bool,
    deposit: amount,
    changes: json,
    constants: json,
    error: orNull(text),
    votes_count: int,
    yes: int,
    no: int,
    no_with_veto: int,
    abstain: int,
    yes_vals: int,
    no_vals: int,
    no_with_veto_vals: int,
    abstain_vals: int,
    yes_addrs: int,
    no_addrs: int,
    no_with_veto_addrs: int,
    abstain_addrs: int,
    total_voting_power: orNull(amount),
    voting_power: amount,
    yes_voting_power: amount,
    no_voting_power: amount,
    no_with_veto_voting_power: amount,
    abstain_voting_power: amount,
    quorum: orNull(text),
    veto_quorum: orNull(text),
    threshold: orNull(text),
    min_deposit: orNull(text),
  },
})

export type ProposalRow = RowOf<typeof proposalTable>

/** Deposits are only ever added; kept here so that an undo removes them. */
export const proposalDepositTable = defineTable({
  name: 'proposal_deposit',
  key: ['id'],
  residence: 'all',
  loadWhere: 'false',
  columns: { id: int, proposal_id: int, depositor_id: int, amount, height: int, time },
})

/** Only votes of open proposals can change. */
export const voteTable = defineTable({
  name: 'vote',
  key: ['id'],
  residence: 'all',
  loadWhere: "proposal_id in (select id from proposal where status in ('inactive', 'active'))",
  columns: {
    id: int,
    proposal_id: int,
    voter_id: int,
    validator_id: orNull(int),
    option: oneOf('yes', 'abstain', 'no', 'no_with_veto'),
    weight: dec,
    height: int,
    time,
  },
  groups: { proposal: (row) => String(row.proposal_id), voter: (row) => `${row.proposal_id}:${row.voter_id}` },
})

export type VoteRow = RowOf<typeof voteTable>

export const constantTable = defineTable({
  name: 'constant',
  key: ['module', 'name'],
  residence: 'all',
  columns: { module: text, name: text, value: text },
})

export type ConstantRow = RowOf<typeof constantTable>

export const denomMetadataTable = defineTable({
  name: 'denom_metadata',
  key: ['base'],
  residence: 'all',
  columns: { base: text, description: text, display: text, name: text, symbol: text, uri: text, units: json },
})

export type DenomMetadataRow = RowOf<typeof denomMetadataTable>

export const vestingAccountTable = defineTable({
  name: 'vesting_account',
  key: ['id'],
  residence: 'all',
  loadWhere: 'false',
  columns: {
    id: int,
    address_id: int,
    type: text,
    amount,
    start_time: orNull(time),
    end_time: orNull(time),
    tx_id: orNull(int),
    height: int,
    time,
  },
})

export const vestingPeriodTable = defineTable({
  name: 'vesting_period',
  key: ['vesting_id', 'position'],
  residence: 'all',
  loadWhere: 'false',
  columns: { vesting_id: int, position: int, time, amount },
})

export type VestingPeriodRow = RowOf<typeof vestingPeriodTable>
