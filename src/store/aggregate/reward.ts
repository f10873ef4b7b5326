import type { BlockInput, Family } from '../families/family.ts'
import { validatorByOperator } from '../families/validators.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import { bucketsOf, HOUR } from '../state/bucket.ts'
import type { Wanted } from '../state/loader.ts'
import { commissionWithdrawnTable, rewardMarkTable } from '../state/staking-series-tables.ts'
import type { State } from '../state/state.ts'
import { ValidatorBirths } from './validator-births.ts'

const DEC_ONE = 10n ** 18n

/**
 * Rewards and commissions per validator. All of some hundred validators earn in every block, so no row is changed per block: the first
 * earning in a bucket leaves a mark of what had been earned before, and a bucket is read as the difference of marks.
 * Runs after the staking family, which has added this block to the totals by then.
 */
export function createRewardAggregate(state: State): Family {
  const marks = state.table(rewardMarkTable)
  const withdrawn = state.table(commissionWithdrawnTable)
  const births = new ValidatorBirths()
  const wanted = { by: undefined as Wanted | undefined, hour: '', operators: new Set<string>() }

  const withdraw = (operator: string, amount: bigint): void => {
    const validator = validatorByOperator(state, operator)
    if (!validator) return
    const row = withdrawn.edit(validator.id) ?? withdrawn.insert({ validator_id: validator.id, amount: 0n })
    row.amount += amount
  }

  return {
    prepare(block: PackedBlock, want: Wanted) {
      const starts = bucketsOf(block.time)
      // The same validators earn in all blocks of an hour: naming them once per batch is enough.
      if (wanted.by !== want || wanted.hour !== starts.hour) {
        wanted.by = want
        wanted.hour = starts.hour
        wanted.operators.clear()
      }
      for (const effect of block.effects) if (effect.kind === 'create-validator') births.expect(effect.operator)
      for (const { operator } of block.rewards) {
        if (wanted.operators.has(operator)) continue
        wanted.operators.add(operator)
        const known = validatorByOperator(state, operator)
        if (known) for (const [frame, time] of starts.framed) want.row(marks, known.id, frame, time)
        else births.expect(operator)
      }
    },

    effects: {
      'withdraw-commission': (_input, { operator, amount }) => withdraw(operator, amount * DEC_ONE),
      'create-validator': (_input, { operator, commissions }) => {
        // What an exported chain brought along was not earned in any block here: it counts as paid in.
        if (commissions) withdraw(operator, -commissions)
      },
    },

    apply({ block, time }: BlockInput) {
      const starts = bucketsOf(time)
      for (const { operator, rewards, commission } of block.rewards) {
        const validator = validatorByOperator(state, operator)
        if (!validator) continue
        births.declare(marks, operator, validator.id, HOUR, starts.hour)
        if (marks.get(validator.id, HOUR, starts.hour)) continue
        const earned = validator.commissions + (withdrawn.get(validator.id)?.amount ?? 0n)
        const before = { rewards: validator.rewards - rewards, commissions: earned - commission }
        for (const [frame, start] of starts.framed) {
          births.declare(marks, operator, validator.id, frame, start)
          if (!marks.get(validator.id, frame, start)) marks.insert({ validator_id: validator.id, frame, time: start, ...before })
        }
      }
    },
  }
}
