import type { Effect } from '../../types/effects.ts'
import { isCountedAt } from '../families/gov.ts'
import { livesOf, operatorsOf, validatorByConsAddress, validatorByOperator } from '../families/validators.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import type { State } from '../state/state.ts'
import { isSlashed } from './shares.ts'

/**
 * Validators, by id, of which a batch may change delegations without naming them: those must be in memory before it is applied. A slash
 * and every later change of a slashed validator touch all of its delegators.
 */
export function validatorsBehind(state: State, effects: readonly Effect[]): Set<number> {
  const validators = new Set<number>()
  const addLives = (operator: string | null | undefined) => {
    if (operator) for (const id of livesOf(state, operator)) validators.add(id)
  }
  for (const effect of effects) {
    if (effect.kind === 'slash') {
      const slashed = validatorByConsAddress(state, effect.consAddress)
      if (!slashed?.operator) continue
      addLives(slashed.operator)
      for (const id of livesOf(state, slashed.operator))
        for (const { destination_id } of state.redelegation.inGroup('source', String(id)))
          addLives(state.validator.get(destination_id)?.operator)
    } else {
      for (const operator of operatorsOf(effect)) {
        const validator = validatorByOperator(state, operator)
        if (validator && isSlashed(validator)) validators.add(validator.id)
      }
      // One that was a proposer before anything described it: who delegates to it in this batch cannot be told by its operator yet.
      if (effect.kind === 'create-validator')
        for (const { id } of state.validator.inGroup('cons', effect.consAddress.toLowerCase())) validators.add(id)
    }
  }
  // A slash follows redelegations of the same batch too.
  if (effects.some(({ kind }) => kind === 'slash'))
    for (const effect of effects) if (effect.kind === 'redelegate') addLives(effect.destination)
  return validators
}

/** Accounts, by id, with stake at these validators, once their delegations are loaded. */
export function accountsBehind(state: State, validators: ReadonlySet<number>): Set<number> {
  const accounts = new Set<number>()
  for (const id of validators) {
    for (const { address_id } of state.delegation.inGroup('validator', String(id))) accounts.add(address_id)
    for (const { address_id } of state.undelegation.inGroup('validator', String(id))) accounts.add(address_id)
  }
  return accounts
}

/** Voters, by id, whose delegations weigh in the tallies of a batch. Those whom it brings to life have none in the database. */
export function votersBehind(
  state: State,
  blocks: readonly PackedBlock[],
  idOf: (address: string) => number | undefined,
): Set<number> {
  const voters = new Set<number>()
  const ending = new Set<number>()
  for (const { effects } of blocks) {
    for (const effect of effects) {
      if (effect.kind === 'end-proposal') ending.add(effect.id)
      const id = effect.kind === 'vote' ? idOf(effect.voter) : undefined
      if (id !== undefined) voters.add(id)
    }
  }
  for (const proposal of state.proposal.all()) {
    if (proposal.status !== 'active') continue
    if (!ending.has(proposal.id) && !blocks.some(({ height }) => isCountedAt(height, proposal))) continue
    for (const { voter_id } of state.vote.inGroup('proposal', String(proposal.id))) voters.add(voter_id)
  }
  return voters
}
