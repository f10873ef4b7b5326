import { toMicroTime } from '../../lib/time.ts'
import type { Effect, StakingEffect } from '../../types/effects.ts'
import { copyText } from '../pack/copy-text.ts'
import type { RedelegationRow, UndelegationRow, ValidatorPowerRow, ValidatorRow } from '../state/staking-tables.ts'
import type { State } from '../state/state.ts'
import { accountById } from './accounts.ts'
import { addNanos } from './add-nanos.ts'
import { readPeriod } from './constants.ts'
import type { BlockInput, Family } from './family.ts'
import { takeMatured } from './matured.ts'
import { createBlockNumbering } from './row-ids.ts'
import { slashValidator } from './slashing.ts'
import { addDelegation, removeShares, sharesForUnbonding } from './staking-shares.ts'
import {
  livesOf,
  newValidator,
  operatorsOf,
  setLastPower,
  topValidators,
  validatorByConsAddress,
  validatorByOperator,
  votingPowerOf,
} from './validators.ts'

type EffectOf<K extends StakingEffect['kind']> = Extract<StakingEffect, { kind: K }>

/** Validators, delegations and what is under way between them. Invariant I8: the pools hold exactly the tokens counted here. */
export function createStakingFamily(state: State): Family {
  /** Numbers unbonding and redelegation entries within a block. */
  const nextEntryId = createBlockNumbering()

  const log = (input: BlockInput, validatorId: number, addressId: number | null, type: string, amount: bigint) =>
    input.rows.row('staking_log', [
      input.height,
      input.firstId + input.rows.position('staking_log'),
      validatorId,
      addressId,
      type,
      amount,
      input.time,
    ])

  /**
   * Of a validator that nothing created here only the operator is known: an exported chain may owe for one that is gone, and nothing
   * on a chain may stop the index.
   */
  const recall = (input: BlockInput, operator: string): Readonly<ValidatorRow> =>
    validatorByOperator(state, operator) ??
    state.validator.insert({ ...newValidator(state, '', input), operator, operator_id: input.accountId(operator) })

  const edit = (input: BlockInput, operator: string): ValidatorRow => state.validator.edit(recall(input, operator).id)!

  const unbondingsOf = (operator: string, addressId: number): Readonly<UndelegationRow>[] =>
    livesOf(state, operator)
      .flatMap((id) => state.undelegation.inGroup('owner', `${id}:${addressId}`))
      .sort((a, b) => a.id - b.id)

  const createValidator = (input: BlockInput, effect: EffectOf<'create-validator'>) => {
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
    if (effect.amount > 0n) delegate(input, validator, { delegator: effect.delegator, amount: effect.amount })
  }

  const delegate = (
    input: BlockInput,
    validator: ValidatorRow,
    { delegator, amount, newShares, count }: Pick<EffectOf<'delegate'>, 'delegator' | 'amount' | 'newShares' | 'count'>,
  ): bigint => {
    const addressId = input.accountId(delegator)
    const shares = addDelegation(state, validator, addressId, amount, newShares, count)
    log(input, validator.id, addressId, 'delegation', amount)
    return shares
  }

  const noteMoved = (input: BlockInput, effect: EffectOf<'unbond' | 'redelegate'>, moved: bigint) => {
    if (moved === effect.amount) return
    input.movedStake ??= new Map()
    input.movedStake.set(effect, moved)
  }

  const unbond = (input: BlockInput, effect: EffectOf<'unbond'>) => {
    const validator = edit(input, effect.operator)
    const addressId = input.accountId(effect.delegator)
    const { requested = effect.statesRequest ? effect.amount : undefined } = effect
    const shares = sharesForUnbonding(state, validator, addressId, effect.amount, requested)
    const given = removeShares(state, validator, addressId, shares)
    const amount = effect.statesRequest ? given : effect.amount
    noteMoved(input, effect, amount)
    accountById(state, addressId).unbonding += amount
    log(input, validator.id, addressId, 'unbonding', -amount)
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
    openUnbonding(input, {
      validator_id: validator.id,
      address_id: addressId,
      amount,
      initial_amount: amount,
      height: input.height,
      completion_time: completionTime,
    })
  }

  const openUnbonding = (input: BlockInput, entry: Omit<UndelegationRow, 'id' | 'time'>) =>
    state.undelegation.insert({ id: nextEntryId(input), time: input.time, ...entry })

  const pendingUnbonding = (input: BlockInput, effect: EffectOf<'pending-unbonding'>) => {
    const addressId = input.accountId(effect.delegator)
    accountById(state, addressId).unbonding += effect.amount
    openUnbonding(input, {
      validator_id: recall(input, effect.operator).id,
      address_id: addressId,
      amount: effect.amount,
      initial_amount: effect.initialAmount,
      height: effect.creationHeight,
      completion_time: toMicroTime(effect.completionTime),
    })
  }

  const redelegate = (input: BlockInput, effect: EffectOf<'redelegate'>) => {
    const source = edit(input, effect.source)
    const addressId = input.accountId(effect.delegator)
    const shares = sharesForUnbonding(state, source, addressId, effect.amount, effect.amount)
    const moved = removeShares(state, source, addressId, shares)
    noteMoved(input, effect, moved)
    log(input, source.id, addressId, 'unbonding', -moved)
    const destination = edit(input, effect.destination)
    const movedShares = delegate(input, destination, { delegator: effect.delegator, amount: moved })
    if (effect.completionTime === undefined) return
    const completionTime = toMicroTime(effect.completionTime)
    const left = leftBefore(input, source, completionTime)
    openRedelegation(input, {
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

  /**
   * Of stake that moves away from a validator on its way out of the set the chain keeps the height and the end of that way. One that is
   * gone with the last of its stake is counted from now.
   */
  const leftBefore = (input: BlockInput, source: ValidatorRow, completionTime: string): ValidatorPowerRow | undefined => {
    const power = state.validatorPower.get(source.id)
    if (source.bonded || !power?.left_time) return undefined
    const period = readPeriod(state, 'staking', 'unbonding_time')
    const endsWith = (begin: string) => addNanos(begin, period).slice(0, 19) === completionTime.slice(0, 19)
    return endsWith(power.left_time) || !endsWith(input.time) ? power : undefined
  }

  const openRedelegation = (input: BlockInput, entry: Omit<RedelegationRow, 'id' | 'time'>) =>
    state.redelegation.insert({ id: nextEntryId(input), time: input.time, ...entry })

  const pendingRedelegation = (input: BlockInput, effect: EffectOf<'pending-redelegation'>) => {
    openRedelegation(input, {
      address_id: input.accountId(effect.delegator),
      source_id: recall(input, effect.source).id,
      destination_id: recall(input, effect.destination).id,
      amount: effect.amount,
      shares: effect.shares,
      height: effect.creationHeight,
      completion_time: toMicroTime(effect.completionTime),
      begin_height: null,
      begin_time: null,
    })
  }

  const cancelUnbonding = (input: BlockInput, effect: EffectOf<'cancel-unbonding'>) => {
    const validator = edit(input, effect.operator)
    const addressId = input.accountId(effect.delegator)
    let open = effect.amount
    for (const entry of unbondingsOf(effect.operator, addressId)) {
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
    accountById(state, addressId).unbonding -= effect.amount - open
    addDelegation(state, validator, addressId, effect.amount)
    log(input, validator.id, addressId, 'unbonding', effect.amount)
  }

  const completeUnbonding = (input: BlockInput, effect: EffectOf<'complete-unbonding'>) => {
    const validator = validatorByOperator(state, effect.operator)
    if (!validator) return
    const addressId = input.accountId(effect.delegator)
    for (const entry of takeMatured(unbondingsOf(effect.operator, addressId), input.time, effect.amount)) {
      accountById(state, addressId).unbonding -= entry.amount
      state.undelegation.remove(entry.id)
    }
    log(input, validator.id, addressId, 'unbonded', -effect.amount)
  }

  const completeRedelegation = (input: BlockInput, effect: EffectOf<'complete-redelegation'>) => {
    const source = validatorByOperator(state, effect.source)
    const destination = validatorByOperator(state, effect.destination)
    if (!source || !destination) return
    const addressId = input.accountId(effect.delegator)
    const entries = livesOf(state, effect.source).flatMap((from) =>
      livesOf(state, effect.destination).flatMap((to) => state.redelegation.inGroup('path', `${from}:${to}:${addressId}`)),
    )
    for (const entry of takeMatured(entries, input.time, effect.amount)) state.redelegation.remove(entry.id)
    log(input, source.id, addressId, 'unbonded', -effect.amount)
  }

  const slash = (input: BlockInput, effect: EffectOf<'slash'>) => {
    const validator = validatorByConsAddress(state, effect.consAddress)
    if (!validator) return
    slashValidator(state, validator.id, effect, input.time)
    state.validator.edit(validator.id)!.jailed = true
    input.rows.row('jail', [
      input.height,
      input.firstId + input.rows.position('jail'),
      validator.id,
      input.time,
      copyText(effect.reason),
      effect.burned,
    ])
    log(input, validator.id, null, 'slashing', -effect.burned)
  }

  const setJailed = (validator: Readonly<ValidatorRow> | undefined, jailed: boolean) => {
    if (validator) state.validator.edit(validator.id)!.jailed = jailed
  }

  const applyEffect = (input: BlockInput, effect: Effect): void => {
    switch (effect.kind) {
      case 'create-validator':
        return createValidator(input, effect)
      case 'edit-validator': {
        const row = edit(input, effect.operator)
        Object.assign(row, effect.description)
        if (effect.rate !== undefined) row.rate = effect.rate
        if (effect.minSelfDelegation !== undefined) row.min_self_delegation = effect.minSelfDelegation
        return
      }
      case 'delegate':
        delegate(input, edit(input, effect.operator), effect)
        return
      case 'unbond':
        return unbond(input, effect)
      case 'redelegate':
        return redelegate(input, effect)
      case 'pending-unbonding':
        return pendingUnbonding(input, effect)
      case 'pending-redelegation':
        return pendingRedelegation(input, effect)
      case 'cancel-unbonding':
        return cancelUnbonding(input, effect)
      case 'complete-unbonding':
        return completeUnbonding(input, effect)
      case 'complete-redelegation':
        return completeRedelegation(input, effect)
      case 'slash':
        return slash(input, effect)
      case 'jail':
        return setJailed(validatorByConsAddress(state, effect.consAddress), true)
      case 'unjail':
        return setJailed(validatorByOperator(state, effect.operator), false)
      case 'validator-power': {
        const known = validatorByConsAddress(state, effect.consAddress)
        if (!known) return
        state.validator.edit(known.id)!.bonded = effect.power > 0n
        setLastPower(state, known.id, effect.power, input)
        return
      }
      case 'withdraw-rewards': {
        const validator = validatorByOperator(state, effect.operator)
        if (validator) log(input, validator.id, input.accountId(effect.delegator), 'rewards', -effect.amount)
        return
      }
      case 'withdraw-commission': {
        const known = validatorByOperator(state, effect.operator)
        if (!known) return
        const validator = state.validator.edit(known.id)!
        validator.commissions -= effect.amount * 10n ** 18n
        log(input, validator.id, validator.operator_id, 'commissions', -effect.amount)
        return
      }
    }
  }

  return {
    prepare(block, want, idOf) {
      for (const effect of block.effects) {
        const delegator = 'delegator' in effect ? idOf(effect.delegator) : undefined
        if (delegator === undefined) continue
        for (const operator of operatorsOf(effect)) {
          const validator = validatorByOperator(state, operator)
          if (validator) want.row(state.endedDelegation, delegator, validator.id)
        }
      }
    },

    applyEffect,

    apply(input) {
      const { block } = input
      for (const { operator, rewards, commission } of block.rewards) {
        const known = validatorByOperator(state, operator)
        if (!known) continue
        const row = state.validator.edit(known.id)!
        row.rewards += rewards
        row.commissions += commission
      }
      const linked = new Set<number>()
      for (const [operator, message] of block.validatorLinks) {
        const known = validatorByOperator(state, operator)
        if (!known) continue
        linked.add(known.id)
        state.validator.edit(known.id)!.messages_count++
        input.rows.lines('message_validator', `${known.id}\t${input.firstId + message}\n`, 1)
      }
      input.linkedValidators = [...linked]
      if (block.effects.length > 0 || block.height === 0) {
        const power = topValidators(state).reduce((sum, row) => sum + votingPowerOf(row.stake), 0n)
        if (power !== state.head.get('true')!.total_voting_power) state.head.edit('true')!.total_voting_power = power
      }
    },
  }
}
