import type { Proposal } from '../../../src/client/gen/operations.ts'

export const VOTE_OPTIONS = ['yes', 'no', 'no_with_veto', 'abstain'] as const

type Powers = Pick<Proposal, 'voting_power' | 'bonded_stake' | `${(typeof VOTE_OPTIONS)[number]}_voting_power`>

const ratio = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

/**
 * Part of the stake that voted, of all that can vote; undefined where there is no vote. Power is counted in whole TIA for each validator,
 * so a vote of all stake may be a few utia more than that.
 */
export const turnoutOf = ({ voting_power, bonded_stake }: Powers): number | undefined =>
  bonded_stake === undefined ? undefined : Math.min(1, ratio(Number(voting_power), Number(bonded_stake)))

/** Part of yes among those who took a side: the chain leaves abstentions out. */
export function approvalOf({ yes_voting_power, no_voting_power, no_with_veto_voting_power }: Powers): number {
  const yes = Number(yes_voting_power)
  return ratio(yes, yes + Number(no_voting_power) + Number(no_with_veto_voting_power))
}

/** Part of vetoes among all votes. */
export const vetoOf = ({ no_with_veto_voting_power, voting_power }: Powers): number =>
  ratio(Number(no_with_veto_voting_power), Number(voting_power))
