import { type Static, Type } from 'typebox'
import { type GrantRow, listGrants } from '../../../store/read/address/grant.ts'
import { type AddressVoteRow, listAddressVotes } from '../../../store/read/governance/vote.ts'
import { unknownAddress } from '../../http/unknown.ts'
import type { RouteGroup } from '../../route.ts'
import { Grant } from '../../schema/grant.ts'
import { Vote } from '../../schema/proposal.ts'
import { Address, Flag, Limit, Offset, Paging } from '../../schema/query.ts'
import { NoContent } from '../../schema/values.ts'
import { toShortAddress } from '../../view/account.ts'
import { toShortValidator } from '../../view/validator.ts'
import { toVote } from '../../view/vote.ts'

const Hash = Type.Object({ hash: Address })
const Page = Type.Object({
  limit: Limit,
  offset: Offset,
  remaining: Flag(false, 'adds what is left of limits; `params` are the terms as they were granted'),
})

const toGrant = (row: GrantRow, hasRemaining: boolean): Omit<Static<typeof Grant>, 'granter' | 'grantee'> => ({
  authorization: row.authorization,
  expiration: row.expiration ?? undefined,
  revoked: row.revoked,
  revoke_height: row.revoke_height ?? undefined,
  height: row.height,
  time: row.time,
  params: row.params as Static<typeof Grant>['params'],
  remaining: (hasRemaining && row.remaining) || undefined,
})

const toAddressVote = (row: AddressVoteRow): Static<typeof Vote> => {
  const [id, status, title, description] = row.proposal
  return {
    ...toVote(row),
    validator: row.validator === null ? undefined : toShortValidator(row.validator),
    proposal: { id, status, title, description },
  }
}

/** Authorizations, fee allowances and votes of accounts. */
export const grantRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/address/:hash/grants',
    {
      schema: {
        operationId: 'list-address-grants',
        summary: 'Grants made by an account',
        tags: ['address'],
        params: Hash,
        querystring: Page,
        response: { 200: Type.Array(Grant) },
      },
    },
    async ({ params, query }) => {
      const rows = await listGrants(db, { ...query, address: params.hash, side: 'made' })
      if (!rows) throw unknownAddress(params.hash)
      return rows.map((row) => ({ ...toGrant(row, query.remaining), grantee: toShortAddress(row.other) }))
    },
  )

  app.get(
    '/address/:hash/granters',
    {
      schema: {
        operationId: 'list-address-granters',
        summary: 'Grants where the account is the grantee',
        tags: ['address'],
        params: Hash,
        querystring: Page,
        response: { 200: Type.Array(Grant) },
      },
    },
    async ({ params, query }) => {
      const rows = await listGrants(db, { ...query, address: params.hash, side: 'received' })
      if (!rows) throw unknownAddress(params.hash)
      return rows.map((row) => ({ ...toGrant(row, query.remaining), granter: toShortAddress(row.other) }))
    },
  )

  app.get(
    '/address/:hash/votes',
    {
      schema: {
        operationId: 'list-address-votes',
        summary: 'Votes of an account, newest first',
        tags: ['address'],
        params: Hash,
        querystring: Type.Object(Paging),
        response: { 200: Type.Array(Vote), 204: NoContent },
      },
      cursorOf: (row) => row.id,
    },
    async ({ params, query }) => (await listAddressVotes(db, { ...query, address: params.hash }))?.map(toAddressVote),
  )
}
