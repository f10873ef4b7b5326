import type { Effect } from '../../types/effects.ts'
import type { State } from '../state/state.ts'
import { isSlashed } from './staking-shares.ts'
import { livesOf, operatorsOf, validatorByConsAddress, validatorByOperator } from './validators.ts'

/**
 * Accounts, by id, that the changes of a batch may move without naming them: they must be in memory before it is applied. A slash and
 * every later change of a slashed validator touch all of its delegators.
 */
export function accountsBehind(state: State, effects: readonly Effect[]): Set<number> {
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
    }
  }
  // A slash follows redelegations of the same batch too.
  if (effects.some(({ kind }) => kind === 'slash'))
    for (const effect of effects) if (effect.kind === 'redelegate') addLives(effect.destination)

  const accounts = new Set<number>()
  for (const id of validators) {
    for (const { address_id } of state.delegation.inGroup('validator', String(id))) accounts.add(address_id)
    for (const { address_id } of state.undelegation.inGroup('validator', String(id))) accounts.add(address_id)
  }
  return accounts
}
