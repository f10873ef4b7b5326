import type { BlockInput, Family } from '../families/family.ts'
import { operatorsOf, validatorByOperator } from '../families/validators.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import { bucketsOf } from '../state/bucket.ts'
import type { Wanted } from '../state/loader.ts'
import { stakeMonthTable, stakingBucketTable } from '../state/staking-series-tables.ts'
import type { ValidatorRow } from '../state/staking-tables.ts'
import type { State } from '../state/state.ts'
import { ValidatorBirths } from './validator-births.ts'

/** Stake that moves, per validator, and each validator's stake month by month. Runs after the staking family. */
export function createStakingAggregate(state: State): Family {
  const buckets = state.table(stakingBucketTable)
  const months = state.table(stakeMonthTable)
  const births = new ValidatorBirths()

  const move = (time: string, operator: string, delegated: bigint, unbonded: bigint) => {
    const validator = validatorByOperator(state, operator)
    if (!validator) return
    for (const [frame, start] of bucketsOf(time).framed) {
      births.declare(buckets, operator, validator.id, frame, start)
      const row =
        buckets.edit(validator.id, frame, start) ??
        buckets.insert({
          validator_id: validator.id,
          frame,
          time: start,
          delegations: 0n,
          unbondings: 0n,
          delegations_count: 0,
          unbondings_count: 0,
        })
      row.delegations += delegated
      row.unbondings += unbonded
      if (delegated > 0n) row.delegations_count++
      if (unbonded > 0n) row.unbondings_count++
    }
  }

  const setStake = (validator: Readonly<ValidatorRow>, month: string) => {
    births.declare(months, validator.operator, validator.id, month)
    const known = months.get(validator.id, month)
    if (!known) months.insert({ validator_id: validator.id, time: month, stake: validator.stake })
    else if (known.stake !== validator.stake) months.edit(validator.id, month)!.stake = validator.stake
  }

  return {
    prepare(block: PackedBlock, want: Wanted) {
      const starts = bucketsOf(block.time)
      const validators = new Map<number, boolean>()
      for (const effect of block.effects) {
        if (effect.kind === 'slash') for (const { id } of state.validator.all()) validators.set(id, validators.get(id) ?? false)
        for (const operator of operatorsOf(effect)) {
          const known = validatorByOperator(state, operator)
          if (known) validators.set(known.id, true)
          // An operator whose validator is gone may create another one.
          if (!known || effect.kind === 'create-validator') births.expect(operator)
        }
      }
      for (const [id, moves] of validators) {
        want.row(months, id, starts.month)
        if (moves) for (const [frame, time] of starts.framed) want.row(buckets, id, frame, time)
      }
    },

    effects: {
      'create-validator': (input, { operator, amount }) => {
        if (amount > 0n) move(input.time, operator, amount, 0n)
      },
      delegate: (input, { operator, amount }) => move(input.time, operator, amount, 0n),
      unbond: (input, effect) => move(input.time, effect.operator, 0n, input.movedStake?.get(effect) ?? effect.amount),
      'cancel-unbonding': (input, { operator, amount }) => move(input.time, operator, 0n, -amount),
      redelegate: (input, effect) => {
        const moved = input.movedStake?.get(effect) ?? effect.amount
        move(input.time, effect.source, 0n, moved)
        move(input.time, effect.destination, moved, 0n)
      },
    },

    apply({ block, time }: BlockInput) {
      const { month } = bucketsOf(time)
      const touched = new Set<string>()
      for (const effect of block.effects) {
        // A slash also takes from the validators that stake was redelegated to.
        if (effect.kind === 'slash')
          for (const { operator } of state.validator.all()) if (operator !== null) touched.add(operator)
        for (const operator of operatorsOf(effect)) touched.add(operator)
      }
      for (const operator of touched) {
        const validator = validatorByOperator(state, operator)
        if (validator) setStake(validator, month)
      }
    },
  }
}
