import { toMicroTime } from '../../lib/time.ts'
import type { EffectOf } from '../../types/effects.ts'
import { moveStake } from '../families/accounts.ts'
import { addNanos } from '../families/add-nanos.ts'
import { readPeriod } from '../families/constants.ts'
import type { BlockInput } from '../families/family.ts'
import { editValidator } from '../families/validators.ts'
import type { ValidatorPowerRow, ValidatorRow } from '../state/staking-tables.ts'
import type { State } from '../state/state.ts'
import { openRedelegation, openUnbonding, unbondingsOf } from './entries.ts'
import { logStake, type Staking } from './log.ts'
import { addDelegation, removeShares, sharesForUnbonding } from './shares.ts'

/** Stake that a delegator moves. */
export const delegationHandlers = {
  delegate,
  unbond,
  redelegate,
  'cancel-unbonding': cancelUnbonding,
}

type Stake = Pick<EffectOf<'delegate'>, 'delegator' | 'amount' | 'newShares' | 'count'>

/** Returns the shares that the stake bought. */
export function delegateTo(state: State, input: BlockInput, validator: ValidatorRow, stake: Stake): bigint {
  const { delegator, amount, newShares, count } = stake
  const addressId = input.accountId(delegator)
  const shares = addDelegation(state, validator, addressId, amount, newShares, count)
  logStake(input, validator.id, addressId, 'delegation', amount)
  return shares
}

function delegate({ state }: Staking, input: BlockInput, effect: EffectOf<'delegate'>): void {
  delegateTo(state, input, editValidator(state, input, effect.operator), effect)
}

function unbond(staking: Staking, input: BlockInput, effect: EffectOf<'unbond'>): void {
  const { state } = staking
  const validator = editValidator(state, input, effect.operator)
  const addressId = input.accountId(effect.delegator)
  const { requested = effect.statesRequest ? effect.amount : undefined } = effect
  const shares = sharesForUnbonding(state, validator, addressId, effect.amount, requested)
  const given = removeShares(state, validator, addressId, shares)
  const amount = effect.statesRequest ? given : effect.amount
  noteMoved(input, effect, amount)
  moveStake(state, addressId, 'unbonding', amount)
  logStake(input, validator.id, addressId, 'unbonding', -amount)
  // The chain merges entries of one delegator that were begun in the same block.
  const completionTime = toMicroTime(effect.completionTime)
  const twin = state.undelegation
    .inGroup('owner', `${validator.id}:${addressId}`)
    .find((row) => row.height === input.height && row.completion_time === completionTime)
  if (twin) {
    const row = state.undelegation.edit(twin.id)!
    row.amount += amount
    row.initial_amount += amount
    return
  }
  openUnbonding(staking, input, {
    validator_id: validator.id,
    address_id: addressId,
    amount,
    initial_amount: amount,
    height: input.height,
    completion_time: completionTime,
  })
}

function redelegate(staking: Staking, input: BlockInput, effect: EffectOf<'redelegate'>): void {
  const { state } = staking
  const source = editValidator(state, input, effect.source)
  const addressId = input.accountId(effect.delegator)
  const shares = sharesForUnbonding(state, source, addressId, effect.amount, effect.amount)
  const moved = removeShares(state, source, addressId, shares)
  noteMoved(input, effect, moved)
  logStake(input, source.id, addressId, 'unbonding', -moved)
  const destination = editValidator(state, input, effect.destination)
  const movedShares = delegateTo(state, input, destination, { delegator: effect.delegator, amount: moved })
  if (effect.completionTime === undefined) return
  const completionTime = toMicroTime(effect.completionTime)
  const left = leftBefore(state, input, source, completionTime)
  openRedelegation(staking, input, {
    address_id: addressId,
    source_id: source.id,
    destination_id: destination.id,
    amount: moved,
    shares: movedShares,
    height: input.height,
    completion_time: completionTime,
    begin_height: left?.left_height ?? null,
    begin_time: left?.left_time ?? null,
  })
}

function cancelUnbonding({ state }: Staking, input: BlockInput, effect: EffectOf<'cancel-unbonding'>): void {
  const validator = editValidator(state, input, effect.operator)
  const addressId = input.accountId(effect.delegator)
  let open = effect.amount
  for (const entry of unbondingsOf(state, effect.operator, addressId)) {
    if (open === 0n) break
    if (entry.height !== effect.creationHeight) continue
    const row = state.undelegation.edit(entry.id)!
    const taken = open < row.amount ? open : row.amount
    row.amount -= taken
    // Later slashes count from what is left of the entry, not from what it began with.
    row.initial_amount -= taken
    open -= taken
    if (row.amount === 0n) state.undelegation.remove(row.id)
  }
  moveStake(state, addressId, 'unbonding', open - effect.amount)
  addDelegation(state, validator, addressId, effect.amount)
  logStake(input, validator.id, addressId, 'unbonding', effect.amount)
}

function noteMoved(input: BlockInput, effect: EffectOf<'unbond' | 'redelegate'>, moved: bigint): void {
  if (moved === effect.amount) return
  input.movedStake ??= new Map()
  input.movedStake.set(effect, moved)
}

/**
 * Of stake that moves away from a validator on its way out of the set the chain keeps the height and the end of that way. One that is
 * gone with the last of its stake is counted from now.
 */
function leftBefore(
  state: State,
  input: BlockInput,
  source: ValidatorRow,
  completionTime: string,
): ValidatorPowerRow | undefined {
  const power = state.validatorPower.get(source.id)
  if (source.bonded || !power?.left_time) return undefined
  const period = readPeriod(state, 'staking', 'unbonding_time')
  const endsWith = (begin: string) => addNanos(begin, period).slice(0, 19) === completionTime.slice(0, 19)
  return endsWith(power.left_time) || !endsWith(input.time) ? power : undefined
}
