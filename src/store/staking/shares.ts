/**
 * Shares and tokens as the chain counts them: a validator has tokens and delegator shares, a delegation has shares, and is worth
 * trunc(shares x tokens / total shares). The rate is one until a slash; after it the roundings here decide every last unit.
 */
import { DEC_ONE, decFromInt, decMulInt, decQuo, decQuoInt, decTruncate } from '../../lib/dec.ts'
import { moveStake } from '../families/accounts.ts'
import type { DelegationRow, ValidatorRow } from '../state/staking-tables.ts'
import type { State } from '../state/state.ts'

export function isSlashed(validator: Readonly<ValidatorRow>): boolean {
  return validator.shares !== decFromInt(validator.stake)
}

export function tokensOf(validator: Readonly<ValidatorRow>, shares: bigint): bigint {
  if (validator.shares === 0n) return 0n
  if (!isSlashed(validator)) return shares / DEC_ONE
  return decTruncate(decQuo(decMulInt(shares, validator.stake), validator.shares))
}

/** Shares that `tokens` buy, or cost, at the present rate. */
export function sharesOf(validator: Readonly<ValidatorRow>, tokens: bigint): bigint {
  if (validator.stake === 0n || validator.shares === 0n) return decFromInt(tokens)
  return decQuoInt(decMulInt(validator.shares, tokens), validator.stake)
}

/** Adds a delegation (or to one); returns the shares it got. */
export function addDelegation(
  state: State,
  validator: ValidatorRow,
  addressId: number,
  tokens: bigint,
  newShares?: bigint,
  count?: 'later' | 'all',
): bigint {
  const shares = newShares ?? sharesOf(validator, tokens)
  const wasSlashed = isSlashed(validator)
  state.stakeMoves.ofValidator(validator.id, validator.stake)
  validator.stake += tokens
  validator.shares += shares
  const delegation = state.delegation.edit(validator.id, addressId)
  if (delegation) delegation.shares += shares
  else {
    state.delegation.insert({ validator_id: validator.id, address_id: addressId, shares, amount: 0n })
    if (hasEnded(state, addressId, validator.id)) state.endedDelegation.remove(addressId, validator.id)
  }
  if (count !== 'later') refreshAmounts(state, validator, wasSlashed || count === 'all' ? undefined : addressId)
  return shares
}

/** Takes shares off a delegation; returns the tokens they were worth. */
export function removeShares(state: State, validator: ValidatorRow, addressId: number, shares: bigint): bigint {
  const delegation = state.delegation.edit(validator.id, addressId)
  if (!delegation) return 0n
  const taken = shares > delegation.shares ? delegation.shares : shares
  const remaining = validator.shares - taken
  // The last delegator takes what rounding left behind.
  const tokens = remaining === 0n ? validator.stake : tokensOf(validator, taken)
  const wasSlashed = isSlashed(validator)
  delegation.shares -= taken
  jailBelowMinimum(validator, addressId, delegation)
  state.stakeMoves.ofValidator(validator.id, validator.stake)
  validator.stake -= tokens
  validator.shares = remaining
  refreshAmounts(state, validator, wasSlashed ? undefined : addressId)
  if (delegation.shares === 0n) {
    state.delegation.remove(validator.id, addressId)
    if (!hasEnded(state, addressId, validator.id))
      state.endedDelegation.insert({ address_id: addressId, validator_id: validator.id })
  }
  return tokens
}

/** Rows were loaded for everybody whom an effect names; of others, and of new ones, the database has none while they delegate. */
function hasEnded(state: State, addressId: number, validatorId: number): boolean {
  const key = state.endedDelegation.key(addressId, validatorId)
  if (!state.endedDelegation.isLoaded(key)) state.endedDelegation.adoptAbsent(key)
  return state.endedDelegation.get(addressId, validatorId) !== undefined
}

/** Shares behind an unbonding that the event states as `tokens` (the chain converts the requested amount to shares and back). */
export function sharesForUnbonding(
  state: State,
  validator: ValidatorRow,
  addressId: number,
  tokens: bigint,
  requested?: bigint,
): bigint {
  const held = state.delegation.get(validator.id, addressId)?.shares ?? 0n
  const cap = (shares: bigint) => (shares > held ? held : shares)
  if (requested !== undefined) return cap(sharesOf(validator, requested))
  const exact = cap(sharesOf(validator, tokens))
  if (!isSlashed(validator) || tokensOf(validator, exact) === tokens) return exact
  return cap(sharesOf(validator, tokens + 1n))
}

/** The chain jails a validator whose operator keeps less than the promised minimum, and tells nobody. */
function jailBelowMinimum(validator: ValidatorRow, addressId: number, delegation: Readonly<DelegationRow>): void {
  if (addressId !== validator.operator_id || validator.jailed) return
  if (tokensOf(validator, delegation.shares) < validator.min_self_delegation) validator.jailed = true
}

/**
 * Brings the whole units of the delegation up to date; of all delegations of the validator when its rate is not one. No account: also
 * when it is, as after the change that made it one again.
 */
export function refreshAmounts(state: State, validator: Readonly<ValidatorRow>, addressId?: number): void {
  const affected =
    addressId !== undefined && !isSlashed(validator)
      ? [state.delegation.get(validator.id, addressId)!]
      : state.delegation.inGroup('validator', String(validator.id)).sort((a, b) => a.address_id - b.address_id)
  for (const row of affected) {
    const amount = tokensOf(validator, row.shares)
    if (amount === row.amount) continue
    moveStake(state, row.address_id, 'delegated', amount - row.amount)
    state.delegation.edit(row.validator_id, row.address_id)!.amount = amount
  }
}
