import type { Cause } from '../../types/balance-change.ts'
import type { ChangedPart } from '../state/history-tables.ts'
import type { State } from '../state/state.ts'
import type { BlockInput } from './family.ts'

/** Changes of the supply stand under this id, which no account has. */
export const SUPPLY_ID = 0

export type Change = {
  addressId: number
  part: ChangedPart
  cause: Cause
  denom: string
  tx: number | null
  amount: bigint
  /** after the change */
  balance: bigint
}

/** One line of the history of an account, or of the supply. */
export function logChange(state: State, input: BlockInput, change: Change): void {
  if (change.amount === 0n) return
  const { part, cause, denom } = change
  const type =
    state.balanceChangeType.get(part, cause, denom) ??
    state.balanceChangeType.insert({ id: state.balanceChangeType.size + 1, part, cause, denom })
  input.rows.row('balance_change', {
    id: input.firstId + input.rows.position('balance_change'),
    address_id: change.addressId,
    type_id: type.id,
    tx: change.tx,
    amount: change.amount,
    balance: change.balance,
  })
  input.changed.holders.add(change.addressId)
  input.changed.types.add(type.id)
}
