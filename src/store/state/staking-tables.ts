import type { TableDef } from './table.ts'

export type ValidatorRow = {
  id: number
  operator_id: number | null
  delegator_id: number | null
  operator: string | null
  cons_address: string
  moniker: string
  website: string
  identity: string
  contacts: string
  details: string
  rate: bigint
  max_rate: bigint
  max_change_rate: bigint
  min_self_delegation: bigint
  stake: bigint
  shares: bigint
  rewards: bigint
  commissions: bigint
  jailed: boolean
  bonded: boolean
  version: number
  messages_count: number
  creation_time: string
  first_height: number
}

export const validatorTable: TableDef<ValidatorRow> = {
  name: 'validator',
  key: ['id'],
  residence: 'all',
  columns: {
    id: 'int',
    operator_id: 'int',
    delegator_id: 'int',
    operator: 'bytes',
    cons_address: 'bytes',
    moniker: 'text',
    website: 'text',
    identity: 'text',
    contacts: 'text',
    details: 'text',
    rate: 'dec',
    max_rate: 'dec',
    max_change_rate: 'dec',
    min_self_delegation: 'amount',
    stake: 'amount',
    shares: 'dec',
    rewards: 'dec',
    commissions: 'dec',
    jailed: 'bool',
    bonded: 'bool',
    version: 'int',
    messages_count: 'int',
    creation_time: 'time',
    first_height: 'int',
  },
  groups: { operator: (row) => row.operator ?? '', cons: (row) => row.cons_address },
}

/** `left_height`, `left_time`: the block that took it out of the set; null while it is in, or if it never was. */
export type ValidatorPowerRow = { validator_id: number; power: bigint; left_height: number | null; left_time: string | null }

/** Apart from the validator: an update of the consensus says no more than this. */
export const validatorPowerTable: TableDef<ValidatorPowerRow> = {
  name: 'validator_power',
  key: ['validator_id'],
  residence: 'all',
  columns: { validator_id: 'int', power: 'amount', left_height: 'int', left_time: 'time' },
}

export type DelegationRow = { validator_id: number; address_id: number; shares: bigint; amount: bigint }

/** Held whole: slashing and tallies walk all delegations of a validator or voter (main network: about 300,000 rows, some 80 MB). */
export const delegationTable: TableDef<DelegationRow> = {
  name: 'delegation',
  key: ['validator_id', 'address_id'],
  residence: 'all',
  columns: { validator_id: 'int', address_id: 'int', shares: 'dec', amount: 'amount' },
  groups: { validator: (row) => String(row.validator_id), address: (row) => String(row.address_id) },
}

export type EndedDelegationRow = { address_id: number; validator_id: number }

/** Apart from the delegations, which are all in memory: nothing but a new beginning asks for one that has ended. */
export const endedDelegationTable: TableDef<EndedDelegationRow> = {
  name: 'ended_delegation',
  key: ['address_id', 'validator_id'],
  residence: 'keys',
  bornWith: 'address',
  columns: { address_id: 'int', validator_id: 'int' },
}

export type UndelegationRow = {
  id: number
  validator_id: number
  address_id: number
  amount: bigint
  initial_amount: bigint
  height: number
  time: string
  completion_time: string
}

export const undelegationTable: TableDef<UndelegationRow> = {
  name: 'undelegation',
  key: ['id'],
  residence: 'all',
  columns: {
    id: 'int',
    validator_id: 'int',
    address_id: 'int',
    amount: 'amount',
    initial_amount: 'amount',
    height: 'int',
    time: 'time',
    completion_time: 'time',
  },
  groups: { owner: (row) => `${row.validator_id}:${row.address_id}`, validator: (row) => String(row.validator_id) },
}

/** `begin_height`, `begin_time`: the block that the chain counts from, where it is not the one of the message. */
export type RedelegationRow = {
  id: number
  address_id: number
  source_id: number
  destination_id: number
  amount: bigint
  shares: bigint
  height: number
  time: string
  completion_time: string
  begin_height: number | null
  begin_time: string | null
}

export const redelegationTable: TableDef<RedelegationRow> = {
  name: 'redelegation',
  key: ['id'],
  residence: 'all',
  columns: {
    id: 'int',
    address_id: 'int',
    source_id: 'int',
    destination_id: 'int',
    amount: 'amount',
    shares: 'dec',
    height: 'int',
    time: 'time',
    completion_time: 'time',
    begin_height: 'int',
    begin_time: 'time',
  },
  groups: {
    path: (row) => `${row.source_id}:${row.destination_id}:${row.address_id}`,
    source: (row) => String(row.source_id),
  },
}
