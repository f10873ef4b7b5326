import type { StakingEffect } from '../../types/effects.ts'
import { type BlockInput, bindHandlers, type FamilyOf } from '../families/family.ts'
import { createBlockNumbering } from '../families/row-ids.ts'
import { operatorsOf, topValidators, validatorByOperator, votingPowerOf } from '../families/validators.ts'
import type { State } from '../state/state.ts'
import { delegationHandlers } from './delegations.ts'
import { entryHandlers } from './entries.ts'
import { validatorHandlers } from './validators.ts'

/** Validators, delegations and what is under way between them. Invariant I8: the pools hold exactly the tokens counted here. */
export function createStakingFamily(state: State): FamilyOf<StakingEffect> {
  return {
    prepare(block, want, idOf) {
      for (const effect of block.effects) {
        const delegator = 'delegator' in effect ? idOf(effect.delegator) : undefined
        if (delegator === undefined) continue
        for (const operator of operatorsOf(effect)) {
          const validator = validatorByOperator(state, operator)
          if (!validator) continue
          want.row(state.delegation, validator.id, delegator)
          want.row(state.endedDelegation, delegator, validator.id)
        }
      }
    },

    effects: bindHandlers(
      { state, nextEntryId: createBlockNumbering() },
      { ...validatorHandlers, ...delegationHandlers, ...entryHandlers },
    ),

    apply(input) {
      addEarnings(state, input)
      linkMessages(state, input)
      if (input.block.effects.length > 0 || input.height === 0) countVotingPower(state)
    },
  }
}

function addEarnings(state: State, { block }: BlockInput): void {
  for (const { operator, rewards, commission } of block.rewards) {
    const known = validatorByOperator(state, operator)
    if (!known) continue
    const row = state.validator.edit(known.id)!
    row.rewards += rewards
    row.commissions += commission
  }
}

function linkMessages(state: State, input: BlockInput): void {
  const linked = new Set<number>()
  for (const [operator, message] of input.block.validatorLinks) {
    const known = validatorByOperator(state, operator)
    if (!known) continue
    linked.add(known.id)
    state.validator.edit(known.id)!.messages_count++
    input.rows.row('message_validator', { validator_id: known.id, message_id: input.firstId + message })
  }
  input.linkedValidators = [...linked]
}

function countVotingPower(state: State): void {
  const power = topValidators(state).reduce((sum, row) => sum + votingPowerOf(row.stake), 0n)
  if (power !== state.head.get('true')!.total_voting_power) state.head.edit('true')!.total_voting_power = power
}
