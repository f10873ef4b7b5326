/**
 * A slash cuts, in this order: unbonding entries and redelegations out of the validator that began at or after the infraction and have
 * not matured, then the validator's own tokens. Only the last part is in the event; the coins of the others are burned without a name.
 */
import { decMul, decMulInt, decTruncate } from '../../lib/dec.ts'
import { moveStake } from '../families/accounts.ts'
import { livesOf, validatorByOperator } from '../families/validators.ts'
import { decFromText } from '../state/column.ts'
import type { RedelegationRow, UndelegationRow } from '../state/staking-tables.ts'
import type { State } from '../state/state.ts'
import { endOf, type Pending } from './matured.ts'
import { refreshAmounts, removeShares } from './shares.ts'

export type Slash = { reason: string; burned: bigint; infractionHeight: number }

export function slashValidator(state: State, validatorId: number, slash: Slash, time: string): void {
  const fraction = slashFraction(state, slash.reason)
  const counts = (entry: Pending) => (entry.begin_height ?? entry.height) >= slash.infractionHeight && endOf(entry) > time
  if (fraction > 0n) {
    const lives = livesWith(state, validatorId)
    for (const entry of byId(lives.flatMap((id) => state.undelegation.inGroup('validator', String(id))))) {
      if (counts(entry)) cutUnbonding(state, entry, decTruncate(decMulInt(fraction, entry.initial_amount)))
    }
    for (const entry of inStoreOrder(
      state,
      lives.flatMap((id) => state.redelegation.inGroup('source', String(id))),
    )) {
      if (counts(entry)) cutRedelegation(state, entry, fraction, counts)
    }
  }
  if (slash.burned > 0n) {
    const validator = state.validator.edit(validatorId)!
    state.stakeMoves.ofValidator(validatorId, validator.stake)
    validator.stake -= slash.burned > validator.stake ? validator.stake : slash.burned
    refreshAmounts(state, validator)
  }
}

function slashFraction(state: State, reason: string): bigint {
  const name = reason === 'double_sign' ? 'slash_fraction_double_sign' : 'slash_fraction_downtime'
  return decFromText(state.constant.get('slashing', name)?.value ?? '0')
}

/** Returns what could be taken. */
function cutUnbonding(state: State, entry: Readonly<UndelegationRow>, wanted: bigint): bigint {
  const taken = wanted < entry.amount ? wanted : entry.amount
  if (taken === 0n) return 0n
  state.undelegation.edit(entry.id)!.amount -= taken
  moveStake(state, entry.address_id, 'unbonding', -taken)
  return taken
}

/** Stake that moved on pays where it is now: first from unbondings begun there since, then from the delegation. */
function cutRedelegation(
  state: State,
  entry: Readonly<RedelegationRow>,
  fraction: bigint,
  counts: (entry: UndelegationRow) => boolean,
): void {
  let open = decTruncate(decMulInt(fraction, entry.amount))
  const lives = livesWith(state, entry.destination_id)
  for (const unbonding of byId(lives.flatMap((id) => state.undelegation.inGroup('owner', `${id}:${entry.address_id}`)))) {
    if (open === 0n) return
    if (counts(unbonding)) open -= cutUnbonding(state, unbonding, open)
  }
  if (open === 0n) return
  const shares = decMul(fraction, entry.shares)
  if (shares === 0n) return
  const operator = state.validator.get(entry.destination_id)?.operator
  const present = operator ? validatorByOperator(state, operator) : undefined
  removeShares(state, state.validator.edit(present?.id ?? entry.destination_id)!, entry.address_id, shares)
}

/** The validator and all others of its operator: entries stand under the operator's name, whichever of them they began at. */
function livesWith(state: State, validatorId: number): number[] {
  const operator = state.validator.get(validatorId)?.operator
  return operator ? livesOf(state, operator) : [validatorId]
}

/**
 * The chain walks redelegations by the bytes of the delegator. Where several leave a validator whose rate is not one, the order decides
 * which of them pays the last unit. An account that is not in memory has nothing left at the destination.
 */
function inStoreOrder(state: State, entries: Readonly<RedelegationRow>[]): Readonly<RedelegationRow>[] {
  const keys = new Map<number, string>()
  for (const { address_id: id } of entries) {
    const address = state.address.inGroup('id', String(id))[0]?.address ?? ''
    // Keys begin with the length of the address.
    keys.set(id, String(address.length).padStart(3, '0') + address)
  }
  return byId(entries).sort((a, b) => {
    const [first, second] = [keys.get(a.address_id)!, keys.get(b.address_id)!]
    return first < second ? -1 : first > second ? 1 : 0
  })
}

function byId<Row extends { id: number }>(rows: Readonly<Row>[]): Readonly<Row>[] {
  return rows.sort((a, b) => a.id - b.id)
}
