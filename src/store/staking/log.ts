import type { BlockInput } from '../families/family.ts'
import { numbered } from '../families/row-ids.ts'
import type { State } from '../state/state.ts'

/** Shared context of the handlers of staking effects. */
export type Staking = {
  state: State
  /** numbers unbonding and redelegation entries within a block */
  nextEntryId: (input: BlockInput) => number
}

/** One line of the history of a validator. */
export function logStake(input: BlockInput, validatorId: number, addressId: number | null, type: string, amount: bigint): void {
  input.rows.row('staking_log', {
    ...numbered(input, 'staking_log'),
    validator_id: validatorId,
    address_id: addressId,
    type,
    amount,
  })
}
