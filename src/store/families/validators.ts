import type { Effect } from '../../types/effects.ts'
import type { ValidatorRow } from '../state/staking-tables.ts'
import type { State } from '../state/state.ts'
import type { BlockInput } from './family.ts'

/** An operator whose validator was removed may create another one: the newest counts. */
const newest = (rows: Readonly<ValidatorRow>[]): Readonly<ValidatorRow> | undefined =>
  rows.reduce<Readonly<ValidatorRow> | undefined>((best, row) => (best && best.id > row.id ? best : row), undefined)

export function validatorByOperator(state: State, operator: string): Readonly<ValidatorRow> | undefined {
  return newest(state.validator.inGroup('operator', operator))
}

/** All validators an operator ever made: the chain keeps what is owed by operator, so those that were removed still owe. */
export function livesOf(state: State, operator: string): number[] {
  return state.validator.inGroup('operator', operator).map(({ id }) => id)
}

/** `consAddress` in any case. */
export function validatorByConsAddress(state: State, consAddress: string): Readonly<ValidatorRow> | undefined {
  return newest(state.validator.inGroup('cons', consAddress.toLowerCase()))
}

/** Whole units of voting power: the chain counts a million base units as one. */
export const votingPowerOf = (stake: bigint): bigint => stake / 1_000_000n

/** Voting power as of the end of the last block: what the consensus was told. Stake that moves within a block does not count yet. */
export function lastPowerOf(state: State, validatorId: number): bigint {
  return state.validatorPower.get(validatorId)?.power ?? 0n
}

export function setLastPower(state: State, validatorId: number, power: bigint, at: { height: number; time: string }): void {
  const known = state.validatorPower.edit(validatorId)
  if (!known) {
    state.validatorPower.insert({ validator_id: validatorId, power, left_height: null, left_time: null })
    return
  }
  if (power > 0n) Object.assign(known, { left_height: null, left_time: null })
  else if (known.power > 0n) Object.assign(known, { left_height: at.height, left_time: at.time })
  known.power = power
}

/** The validators that would be bonded: the top `max_validators` that are not jailed, by stake. */
export function topValidators(state: State): Readonly<ValidatorRow>[] {
  const max = Number(state.constant.get('staking', 'max_validators')?.value ?? 100)
  const candidates = [...state.validator.all()].filter((row) => !row.jailed && row.stake > 0n)
  candidates.sort((a, b) => (a.stake === b.stake ? a.id - b.id : a.stake < b.stake ? 1 : -1))
  return candidates.slice(0, max)
}

/** A validator of which only the consensus address is known: the one being created, or a proposer nobody has described. */
export function newValidator(state: State, consAddress: string, at: { time: string; height: number }): ValidatorRow {
  const head = state.head.edit('true')!
  head.total_validators++
  return {
    id: head.total_validators,
    operator_id: null,
    delegator_id: null,
    operator: null,
    cons_address: consAddress.toLowerCase(),
    moniker: '',
    website: '',
    identity: '',
    contacts: '',
    details: '',
    rate: 0n,
    max_rate: 0n,
    max_change_rate: 0n,
    min_self_delegation: 0n,
    stake: 0n,
    shares: 0n,
    rewards: 0n,
    commissions: 0n,
    jailed: false,
    bonded: false,
    version: 0,
    messages_count: 0,
    creation_time: at.time,
    first_height: at.height,
  }
}

/**
 * Of a validator that nothing created here only the operator is known: an exported chain may owe for one that is gone, and nothing
 * on a chain may stop the index.
 */
export function recallValidator(state: State, input: BlockInput, operator: string): Readonly<ValidatorRow> {
  return (
    validatorByOperator(state, operator) ??
    state.validator.insert({ ...newValidator(state, '', input), operator, operator_id: input.accountId(operator) })
  )
}

export function editValidator(state: State, input: BlockInput, operator: string): ValidatorRow {
  return state.validator.edit(recallValidator(state, input, operator).id)!
}

/** Operators whose stake an effect moves. */
export function operatorsOf(effect: Effect): string[] {
  switch (effect.kind) {
    case 'create-validator':
    case 'delegate':
    case 'unbond':
    case 'cancel-unbonding':
      return [effect.operator]
    case 'redelegate':
      return [effect.source, effect.destination]
    default:
      return []
  }
}
