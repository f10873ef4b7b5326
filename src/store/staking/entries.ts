import { toMicroTime } from '../../lib/time.ts'
import type { EffectOf } from '../../types/effects.ts'
import { moveStake } from '../families/accounts.ts'
import type { BlockInput } from '../families/family.ts'
import { livesOf, recallValidator, validatorByOperator } from '../families/validators.ts'
import type { RedelegationRow, UndelegationRow } from '../state/staking-tables.ts'
import type { State } from '../state/state.ts'
import { logStake, type Staking } from './log.ts'
import { takeMatured } from './matured.ts'

/** Unbondings and redelegations under way: those of an exported genesis state, and their end. */
export const entryHandlers = {
  'pending-unbonding': pendingUnbonding,
  'pending-redelegation': pendingRedelegation,
  'complete-unbonding': completeUnbonding,
  'complete-redelegation': completeRedelegation,
}

type NewEntry<Row> = Omit<Row, 'id' | 'time'>

export function openUnbonding({ state, nextEntryId }: Staking, input: BlockInput, entry: NewEntry<UndelegationRow>): void {
  state.undelegation.insert({ id: nextEntryId(input), time: input.time, ...entry })
}

export function openRedelegation({ state, nextEntryId }: Staking, input: BlockInput, entry: NewEntry<RedelegationRow>): void {
  state.redelegation.insert({ id: nextEntryId(input), time: input.time, ...entry })
}

export function unbondingsOf(state: State, operator: string, addressId: number): Readonly<UndelegationRow>[] {
  return livesOf(state, operator)
    .flatMap((id) => state.undelegation.inGroup('owner', `${id}:${addressId}`))
    .sort((a, b) => a.id - b.id)
}

function pendingUnbonding(staking: Staking, input: BlockInput, effect: EffectOf<'pending-unbonding'>): void {
  const { state } = staking
  const addressId = input.accountId(effect.delegator)
  moveStake(state, addressId, 'unbonding', effect.amount)
  openUnbonding(staking, input, {
    validator_id: recallValidator(state, input, effect.operator).id,
    address_id: addressId,
    amount: effect.amount,
    initial_amount: effect.initialAmount,
    height: effect.creationHeight,
    completion_time: toMicroTime(effect.completionTime),
  })
}

function pendingRedelegation(staking: Staking, input: BlockInput, effect: EffectOf<'pending-redelegation'>): void {
  const { state } = staking
  openRedelegation(staking, input, {
    address_id: input.accountId(effect.delegator),
    source_id: recallValidator(state, input, effect.source).id,
    destination_id: recallValidator(state, input, effect.destination).id,
    amount: effect.amount,
    shares: effect.shares,
    height: effect.creationHeight,
    completion_time: toMicroTime(effect.completionTime),
    begin_height: null,
    begin_time: null,
  })
}

function completeUnbonding({ state }: Staking, input: BlockInput, effect: EffectOf<'complete-unbonding'>): void {
  const validator = validatorByOperator(state, effect.operator)
  if (!validator) return
  const addressId = input.accountId(effect.delegator)
  for (const entry of takeMatured(unbondingsOf(state, effect.operator, addressId), input.time, effect.amount)) {
    moveStake(state, addressId, 'unbonding', -entry.amount)
    state.undelegation.remove(entry.id)
  }
  logStake(input, validator.id, addressId, 'unbonded', -effect.amount)
}

function completeRedelegation({ state }: Staking, input: BlockInput, effect: EffectOf<'complete-redelegation'>): void {
  const source = validatorByOperator(state, effect.source)
  const destination = validatorByOperator(state, effect.destination)
  if (!source || !destination) return
  const addressId = input.accountId(effect.delegator)
  const entries = livesOf(state, effect.source).flatMap((from) =>
    livesOf(state, effect.destination).flatMap((to) => state.redelegation.inGroup('path', `${from}:${to}:${addressId}`)),
  )
  for (const entry of takeMatured(entries, input.time, effect.amount)) state.redelegation.remove(entry.id)
  logStake(input, source.id, addressId, 'unbonded', -effect.amount)
}
