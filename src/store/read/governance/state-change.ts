import type { Reader } from '../../db.ts'
import type { JailRow, ValidatorRef } from '../validator.ts'
import type { ProposalStatus } from './proposal.ts'

export type ProposalStateRow = { id: number; proposal_id: number; status: ProposalStatus }

/** Proposals that got another state at a height, in order. */
export function listProposalStates(sql: Reader, height: number): Promise<ProposalStateRow[]> {
  return sql<ProposalStateRow[]>`
    select s.id, s.proposal_id, s.status from proposal_state s where s.height = ${height} order by s.id`
}

export type ValidatorStateRow = { id: number; validator_id: number; jailed: boolean }

/** Validators that were jailed or released at a height, in order. */
export function listValidatorStates(sql: Reader, height: number): Promise<ValidatorStateRow[]> {
  return sql<ValidatorStateRow[]>`
    select s.id, s.validator_id, s.jailed from validator_state s where s.height = ${height} order by s.id`
}

export type SlashRow = JailRow & { id: number; validator: ValidatorRef }

/** Validators that were slashed at a height, in order. */
export function listSlashes(sql: Reader, height: number): Promise<SlashRow[]> {
  return sql<SlashRow[]>`
    select j.id, j.height, j.time, j.reason, j.burned, json_build_array(v.id, encode(v.cons_address, 'hex'), v.moniker) as validator
    from jail j
    join validator v on v.id = j.validator_id
    where j.height = ${height}
    order by j.id`
}
