import type { Json } from '../../types/effects.ts'
import type { TableDef } from './table.ts'

export type ProposalRow = {
  id: number
  height: number
  created_at: string
  proposer_id: number | null
  deposit_time: string
  activation_time: string | null
  end_time: string | null
  status: string
  type: string
  title: string
  description: string
  metadata: string
  expedited: boolean
  deposit: bigint
  changes: Json
  constants: Json
  error: string | null
  votes_count: number
  yes: number
  no: number
  no_with_veto: number
  abstain: number
  yes_vals: number
  no_vals: number
  no_with_veto_vals: number
  abstain_vals: number
  yes_addrs: number
  no_addrs: number
  no_with_veto_addrs: number
  abstain_addrs: number
  total_voting_power: bigint | null
  voting_power: bigint
  yes_voting_power: bigint
  no_voting_power: bigint
  no_with_veto_voting_power: bigint
  abstain_voting_power: bigint
  quorum: string | null
  veto_quorum: string | null
  threshold: string | null
  min_deposit: string | null
}

export const proposalTable: TableDef<ProposalRow> = {
  name: 'proposal',
  key: ['id'],
  residence: 'all',
  columns: {
    id: 'int',
    height: 'int',
    created_at: 'time',
    proposer_id: 'int',
    deposit_time: 'time',
    activation_time: 'time',
    end_time: 'time',
    status: 'text',
    type: 'text',
    title: 'text',
    description: 'text',
    metadata: 'text',
    expedited: 'bool',
    deposit: 'amount',
    changes: 'json',
    constants: 'json',
    error: 'text',
    votes_count: 'int',
    yes: 'int',
    no: 'int',
    no_with_veto: 'int',
    abstain: 'int',
    yes_vals: 'int',
    no_vals: 'int',
    no_with_veto_vals: 'int',
    abstain_vals: 'int',
    yes_addrs: 'int',
    no_addrs: 'int',
    no_with_veto_addrs: 'int',
    abstain_addrs: 'int',
    total_voting_power: 'amount',
    voting_power: 'amount',
    yes_voting_power: 'amount',
    no_voting_power: 'amount',
    no_with_veto_voting_power: 'amount',
    abstain_voting_power: 'amount',
    quorum: 'text',
    veto_quorum: 'text',
    threshold: 'text',
    min_deposit: 'text',
  },
}

export type ProposalDepositRow = {
  id: number
  proposal_id: number
  depositor_id: number
  amount: bigint
  height: number
  time: string
}

/** Deposits are only ever added; kept here so that an undo removes them. */
export const proposalDepositTable: TableDef<ProposalDepositRow> = {
  name: 'proposal_deposit',
  key: ['id'],
  residence: 'all',
  loadWhere: 'false',
  columns: { id: 'int', proposal_id: 'int', depositor_id: 'int', amount: 'amount', height: 'int', time: 'time' },
}

export type VoteRow = {
  id: number
  proposal_id: number
  voter_id: number
  validator_id: number | null
  option: string
  weight: bigint
  height: number
  time: string
}

/** Only votes of open proposals can change. */
export const voteTable: TableDef<VoteRow> = {
  name: 'vote',
  key: ['id'],
  residence: 'all',
  loadWhere: "proposal_id in (select id from proposal where status in ('inactive', 'active'))",
  columns: {
    id: 'int',
    proposal_id: 'int',
    voter_id: 'int',
    validator_id: 'int',
    option: 'text',
    weight: 'dec',
    height: 'int',
    time: 'time',
  },
  groups: { proposal: (row) => String(row.proposal_id), voter: (row) => `${row.proposal_id}:${row.voter_id}` },
}

export type ConstantRow = { module: string; name: string; value: string }

export const constantTable: TableDef<ConstantRow> = {
  name: 'constant',
  key: ['module', 'name'],
  residence: 'all',
  columns: { module: 'text', name: 'text', value: 'text' },
}

export type DenomMetadataRow = {
  base: string
  description: string
  display: string
  name: string
  symbol: string
  uri: string
  units: Json
}

export const denomMetadataTable: TableDef<DenomMetadataRow> = {
  name: 'denom_metadata',
  key: ['base'],
  residence: 'all',
  columns: { base: 'text', description: 'text', display: 'text', name: 'text', symbol: 'text', uri: 'text', units: 'json' },
}

export type VestingAccountRow = {
  id: number
  address_id: number
  type: string
  amount: bigint
  start_time: string | null
  end_time: string | null
  tx_id: number | null
  height: number
  time: string
}

export const vestingAccountTable: TableDef<VestingAccountRow> = {
  name: 'vesting_account',
  key: ['id'],
  residence: 'all',
  loadWhere: 'false',
  columns: {
    id: 'int',
    address_id: 'int',
    type: 'text',
    amount: 'amount',
    start_time: 'time',
    end_time: 'time',
    tx_id: 'int',
    height: 'int',
    time: 'time',
  },
}

export type VestingPeriodRow = { vesting_id: number; position: number; time: string; amount: bigint }

export const vestingPeriodTable: TableDef<VestingPeriodRow> = {
  name: 'vesting_period',
  key: ['vesting_id', 'position'],
  residence: 'all',
  loadWhere: 'false',
  columns: { vesting_id: 'int', position: 'int', time: 'time', amount: 'amount' },
}
