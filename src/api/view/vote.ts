import type { VoteRow } from '../../store/read/governance/vote.ts'

/** The time of a vote is called `deposit_time` and its option `status`, as clients know it (docs/rules.md R34). */
export function toVote({ id, height, time, option, weight, voter_id, proposal_id }: VoteRow) {
  return { id, height, deposit_time: time, status: option, weight, voter_id, proposal_id }
}
