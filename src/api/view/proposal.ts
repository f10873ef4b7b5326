import type { Static } from 'typebox'
import type { ProposalRow } from '../../store/read/governance/proposal.ts'
import type { Proposal } from '../schema/proposal.ts'
import { toShortAddressOr } from './account.ts'

const isEmpty = (changes: unknown) => changes === null || (typeof changes === 'object' && Object.keys(changes).length === 0)

export const toProposal = (row: ProposalRow): Static<typeof Proposal> => ({
  ...row,
  activation_time: row.activation_time ?? undefined,
  end_time: row.end_time ?? undefined,
  metadata: row.metadata || undefined,
  total_voting_power: row.total_voting_power ?? '0',
  bonded_stake: row.bonded_stake ?? undefined,
  quorum: row.quorum ?? undefined,
  veto_quorum: row.veto_quorum ?? undefined,
  threshold: row.threshold ?? undefined,
  min_deposit: row.min_deposit ?? undefined,
  error: row.error || undefined,
  changes: isEmpty(row.changes) ? undefined : (row.changes as Static<typeof Proposal>['changes']),
  proposer: toShortAddressOr(row.proposer, undefined),
})
