import { type Static, Type } from 'typebox'
import { findAddressId } from '../../store/read/address/account.ts'
import { findProposal, listProposals } from '../../store/read/governance/proposal.ts'
import { listProposalVotes, type ProposalVoteRow } from '../../store/read/governance/vote.ts'
import { findValidatorId } from '../../store/read/validator.ts'
import type { RouteGroup } from '../route.ts'
import { ProposalStatus, ProposalType, VoteOption, VoterType } from '../schema/enums.ts'
import { Proposal, Vote } from '../schema/proposal.ts'
import { Address, CommaList, EntityId, Paging, SortDesc } from '../schema/query.ts'
import { NoContent } from '../schema/values.ts'
import { toShortAddress } from '../view/account.ts'
import { toProposal } from '../view/proposal.ts'
import { toShortValidator } from '../view/validator.ts'
import { toVote } from '../view/vote.ts'

const ProposalList = Type.Object({
  ...Paging,
  sort: SortDesc,
  status: Type.Optional(CommaList(ProposalStatus)),
  type: Type.Optional(CommaList(ProposalType)),
  proposer: Type.Optional(Address),
})

const VoteList = Type.Object({
  ...Paging,
  option: Type.Optional(CommaList(VoteOption)),
  voter: Type.Optional(VoterType),
  address: Type.Optional(Address),
  validator: Type.Optional(Address),
})

const toProposalVote = (row: ProposalVoteRow): Static<typeof Vote> => ({
  ...toVote(row),
  voter: toShortAddress(row.voter),
  validator: row.validator === null ? undefined : toShortValidator(row.validator),
})

export const proposalRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/proposal',
    {
      schema: {
        operationId: 'list-proposals',
        summary: 'Governance proposals, newest first',
        tags: ['proposal'],
        querystring: ProposalList,
        response: { 200: Type.Array(Proposal) },
      },
      cursorOf: (row) => row.id,
    },
    async ({ query }) => (await listProposals(db, query)).map(toProposal),
  )

  app.get(
    '/proposal/:id',
    {
      schema: {
        operationId: 'get-proposal',
        summary: 'A governance proposal',
        tags: ['proposal'],
        params: Type.Object({ id: EntityId }),
        response: { 200: Proposal, 204: NoContent },
      },
    },
    async ({ params }) => {
      const row = await findProposal(db, params.id)
      return row && toProposal(row)
    },
  )

  app.get(
    '/proposal/:id/votes',
    {
      schema: {
        operationId: 'list-proposal-votes',
        summary: 'Votes on a proposal, newest first',
        tags: ['proposal'],
        params: Type.Object({ id: EntityId }),
        querystring: VoteList,
        response: { 200: Type.Array(Vote), 204: NoContent },
      },
      cursorOf: (row) => row.id,
    },
    async ({ params, query: { address, validator, ...query } }) => {
      const voter_id = address && (await findAddressId(db, address))
      const validator_id = validator && (await findValidatorId(db, validator))
      if ((address && voter_id === undefined) || (validator && validator_id === undefined)) return undefined
      return (await listProposalVotes(db, { ...query, id: params.id, voter_id, validator_id })).map(toProposalVote)
    },
  )
}
