import type { VestingEffect } from '../../types/effects.ts'
import type { State } from '../state/state.ts'
import type { FamilyOf } from './family.ts'
import { txIdOf } from './row-ids.ts'

/** Vesting accounts and the periods of those that have them; rows never change after they were made. */
export function createVestingFamily(state: State): FamilyOf<VestingEffect> {
  return {
    effects: {
      vesting: (input, effect) => {
        const head = state.head.edit('true')!
        const id = ++head.total_vestings
        state.vestingAccount.insert({
          id,
          address_id: input.accountId(effect.address),
          type: effect.type,
          amount: effect.amount,
          start_time: effect.startTime,
          end_time: effect.endTime,
          tx_id: txIdOf(input, effect),
          height: input.height,
          time: input.time,
        })
        effect.periods.forEach(({ time, amount }, position) => {
          state.vestingPeriod.insert({ vesting_id: id, position, time, amount })
        })
      },
    },
  }
}
