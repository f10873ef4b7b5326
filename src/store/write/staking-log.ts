import type { State } from '../state/state.ts'
import type { BlockInput } from './family.ts'

/** What the handlers of staking effects share. */
export type Staking = {
  state: State
  /** numbers unbonding and redelegation entries within a block */
  nextEntryId: (input: BlockInput) => number
}

/** One line of the history of a validator. */
export function logStake(input: BlockInput, validatorId: number, addressId: number | null, type: string, amount: bigint): void {
  input.rows.row('staking_log', [
    input.height,
    input.firstId + input.rows.position('staking_log'),
    validatorId,
    addressId,
    type,
    amount,
    input.time,
  ])
}
