import { decMul, decMulInt, decQuo, decTruncate } from '../../lib/dec.ts'
import type { VoteOption } from '../../types/effects.ts'
import type { VoteRow } from '../state/gov-tables.ts'
import type { ValidatorRow } from '../state/staking-tables.ts'
import type { State } from '../state/state.ts'
import { votingPowerOf } from './validators.ts'

/** Base units behind each option. */
export type Tally = Record<VoteOption, bigint>

type Ballot = Pick<VoteRow, 'option' | 'weight'>[]

/** A jailed validator leaves the ranking at once, though it stays bonded until the block ends. */
const counts = (validator: Readonly<ValidatorRow>) => validator.bonded && !validator.jailed && validator.shares > 0n

/** Voting power of the bonded validators, in whole units. */
export function totalVotingPower(state: State): bigint {
  let total = 0n
  for (const validator of state.validator.all()) if (validator.bonded) total += votingPowerOf(validator.stake)
  return total
}

/**
 * The tally of the gov module at this moment, unit for unit: a voter's delegations count for what the voter chose and are taken off
 * the validators that hold them; a validator's own vote speaks for the shares that are left. Rounding happens on 18 digits as on the
 * chain, whole units are cut at the very end.
 */
export function tallyVotes(state: State, proposalId: number): Tally {
  const ballots = new Map<number, Ballot>()
  for (const vote of state.vote.inGroup('proposal', String(proposalId))) {
    const ballot = ballots.get(vote.voter_id)
    if (ballot) ballot.push(vote)
    else ballots.set(vote.voter_id, [vote])
  }

  const sums: Tally = { yes: 0n, abstain: 0n, no: 0n, no_with_veto: 0n }
  const count = (validator: Readonly<ValidatorRow>, shares: bigint, ballot: Ballot) => {
    const power = decQuo(decMulInt(shares, validator.stake), validator.shares)
    for (const { option, weight } of ballot) sums[option] += decMul(power, weight)
  }

  const deductions = new Map<number, bigint>()
  for (const [voterId, ballot] of ballots) {
    for (const { validator_id, shares } of state.delegation.inGroup('address', String(voterId))) {
      const validator = state.validator.get(validator_id)
      if (!validator || !counts(validator)) continue
      deductions.set(validator_id, (deductions.get(validator_id) ?? 0n) + shares)
      count(validator, shares, ballot)
    }
  }
  for (const validator of state.validator.all()) {
    const ballot = validator.operator_id === null ? undefined : ballots.get(validator.operator_id)
    if (ballot && counts(validator)) count(validator, validator.shares - (deductions.get(validator.id) ?? 0n), ballot)
  }

  return {
    yes: decTruncate(sums.yes),
    abstain: decTruncate(sums.abstain),
    no: decTruncate(sums.no),
    no_with_veto: decTruncate(sums.no_with_veto),
  }
}
