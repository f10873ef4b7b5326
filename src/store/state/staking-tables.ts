import { amount, bool, bytes, dec, int, orNull, text, time } from './column.ts'
import { defineTable, type RowOf } from './table-def.ts'

export const validatorTable = defineTable({
  name: 'validator',
  key: ['id'],
  residence: 'all',
  columns: {
    id: int,
    operator_id: orNull(int),
    delegator_id: orNull(int),
    operator: orNull(bytes),
    cons_address: bytes,
    moniker: text,
    website: text,
    identity: text,
    contacts: text,
    details: text,
    rate: dec,
    max_rate: dec,
    max_change_rate: dec,
    min_self_delegation: amount,
    stake: amount,
    shares: dec,
    rewards: dec,
    commissions: dec,
    jailed: bool,
    bonded: bool,
    version: int,
    messages_count: int,
    creation_time: time,
    first_height: int,
  },
  groups: { operator: (row) => row.operator ?? '', cons: (row) => row.cons_address },
})

export type ValidatorRow = RowOf<typeof validatorTable>

/**
 * Apart from the validator: an update of the consensus says no more than this. `left_height`, `left_time`: the block that took it out
 * of the set; null while it is in, or if it never was.
 */
export const validatorPowerTable = defineTable({
  name: 'validator_power',
  key: ['validator_id'],
  residence: 'all',
  columns: { validator_id: int, power: amount, left_height: orNull(int), left_time: orNull(time) },
})

export type ValidatorPowerRow = RowOf<typeof validatorPowerTable>

/** Keys and powers as the consensus has them: what signs the next height, and the one after it. 0 is not in that set. */
export const consensusValidatorTable = defineTable({
  name: 'consensus_validator',
  key: ['address'],
  residence: 'all',
  columns: { address: bytes, public_key: bytes, power: amount, next_power: amount },
})

export type ConsensusValidatorRow = RowOf<typeof consensusValidatorTable>

/** Every key that ever voted. */
export const consensusKeyTable = defineTable({
  name: 'consensus_key',
  key: ['public_key'],
  residence: 'all',
  columns: { public_key: bytes, id: int },
})

/** Slashes walk all delegations of a validator and tallies all of a voter: those are loaded for the batches that do (stake-behind.ts). */
export const delegationTable = defineTable({
  name: 'delegation',
  key: ['validator_id', 'address_id'],
  residence: 'keys',
  bornWith: { validator_id: 'validator', address_id: 'address' },
  columns: { validator_id: int, address_id: int, shares: dec, amount },
  groups: { validator: (row) => String(row.validator_id), address: (row) => String(row.address_id) },
})

export type DelegationRow = RowOf<typeof delegationTable>

/** Apart from the delegations, which slashes and tallies walk: nothing but a new beginning asks for one that has ended. */
export const endedDelegationTable = defineTable({
  name: 'ended_delegation',
  key: ['address_id', 'validator_id'],
  residence: 'keys',
  bornWith: { address_id: 'address' },
  columns: { address_id: int, validator_id: int },
})

export const undelegationTable = defineTable({
  name: 'undelegation',
  key: ['id'],
  residence: 'all',
  columns: {
    id: int,
    validator_id: int,
    address_id: int,
    amount,
    initial_amount: amount,
    height: int,
    time,
    completion_time: time,
  },
  groups: { owner: (row) => `${row.validator_id}:${row.address_id}`, validator: (row) => String(row.validator_id) },
})

export type UndelegationRow = RowOf<typeof undelegationTable>

/** `begin_height`, `begin_time`: the block that the chain counts from, where it is not the one of the message. */
export const redelegationTable = defineTable({
  name: 'redelegation',
  key: ['id'],
  residence: 'all',
  columns: {
    id: int,
    address_id: int,
    source_id: int,
    destination_id: int,
    amount,
    shares: dec,
    height: int,
    time,
    completion_time: time,
    begin_height: orNull(int),
    begin_time: orNull(time),
  },
  groups: {
    path: (row) => `${row.source_id}:${row.destination_id}:${row.address_id}`,
    source: (row) => String(row.source_id),
  },
})

export type RedelegationRow = RowOf<typeof redelegationTable>
