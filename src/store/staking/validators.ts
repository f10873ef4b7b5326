import type { EffectOf } from '../../types/effects.ts'
import type { BlockInput } from '../families/family.ts'
import { numbered } from '../families/row-ids.ts'
import { editValidator, newValidator, setLastPower, validatorByConsAddress, validatorByOperator } from '../families/validators.ts'
import type { State } from '../state/state.ts'
import { delegateTo } from './delegations.ts'
import { logStake, type Staking } from './log.ts'
import { slashValidator } from './slashing.ts'

/** Handlers of effects on a validator itself. */
export const validatorHandlers = {
  'create-validator': create,
  'edit-validator': describe,
  slash,
  jail,
  unjail,
  'validator-power': setPower,
  'withdraw-rewards': withdrawRewards,
  'withdraw-commission': withdrawCommission,
}

function create({ state }: Staking, input: BlockInput, effect: EffectOf<'create-validator'>): void {
  const placeholder = state.validator.inGroup('cons', effect.consAddress.toLowerCase()).find((row) => row.operator === null)
  const row = placeholder ? { ...placeholder } : newValidator(state, effect.consAddress, input)
  // The operator decides a row's group, so a placeholder is taken out and put back.
  if (placeholder) state.validator.remove(placeholder.id)
  const validator = state.validator.insert({
    ...row,
    operator: effect.operator,
    operator_id: input.accountId(effect.operator),
    delegator_id: input.accountId(effect.delegator),
    ...effect.description,
    rate: effect.rate,
    max_rate: effect.maxRate,
    max_change_rate: effect.maxChangeRate,
    min_self_delegation: effect.minSelfDelegation,
    commissions: effect.commissions ?? row.commissions,
    creation_time: input.time,
  })
  // Stakes of an exported chain follow one by one; its operator need not have any.
  if (effect.amount > 0n) delegateTo(state, input, validator, { delegator: effect.delegator, amount: effect.amount })
}

function describe({ state }: Staking, input: BlockInput, effect: EffectOf<'edit-validator'>): void {
  const row = editValidator(state, input, effect.operator)
  Object.assign(row, effect.description)
  if (effect.rate !== undefined) row.rate = effect.rate
  if (effect.minSelfDelegation !== undefined) row.min_self_delegation = effect.minSelfDelegation
}

function slash({ state }: Staking, input: BlockInput, effect: EffectOf<'slash'>): void {
  const validator = validatorByConsAddress(state, effect.consAddress)
  if (!validator) return
  slashValidator(state, validator.id, effect, input.time)
  setJailed(state, input, validator.id, true)
  input.rows.row('jail', {
    ...numbered(input, 'jail'),
    validator_id: validator.id,
    reason: effect.reason,
    burned: effect.burned,
  })
  logStake(input, validator.id, null, 'slashing', -effect.burned)
}

function jail({ state }: Staking, input: BlockInput, { consAddress }: EffectOf<'jail'>): void {
  const validator = validatorByConsAddress(state, consAddress)
  if (validator) setJailed(state, input, validator.id, true)
}

function unjail({ state }: Staking, input: BlockInput, { operator }: EffectOf<'unjail'>): void {
  const validator = validatorByOperator(state, operator)
  if (validator) setJailed(state, input, validator.id, false)
}

/** The chain says so more than once, as with a slash and its jail: only the change is a row. */
function setJailed(state: State, input: BlockInput, validatorId: number, jailed: boolean): void {
  const validator = state.validator.edit(validatorId)!
  if (validator.jailed === jailed) return
  validator.jailed = jailed
  input.rows.row('validator_state', { ...numbered(input, 'validator_state'), validator_id: validatorId, jailed })
}

function setPower({ state }: Staking, input: BlockInput, { consAddress, power }: EffectOf<'validator-power'>): void {
  const known = validatorByConsAddress(state, consAddress)
  if (!known) return
  state.validator.edit(known.id)!.bonded = power > 0n
  setLastPower(state, known.id, power, input)
}

function withdrawRewards({ state }: Staking, input: BlockInput, effect: EffectOf<'withdraw-rewards'>): void {
  const validator = validatorByOperator(state, effect.operator)
  if (validator) logStake(input, validator.id, input.accountId(effect.delegator), 'rewards', -effect.amount)
}

function withdrawCommission({ state }: Staking, input: BlockInput, effect: EffectOf<'withdraw-commission'>): void {
  const known = validatorByOperator(state, effect.operator)
  if (!known) return
  const validator = state.validator.edit(known.id)!
  validator.commissions -= effect.amount * 10n ** 18n
  logStake(input, validator.id, validator.operator_id, 'commissions', -effect.amount)
}
