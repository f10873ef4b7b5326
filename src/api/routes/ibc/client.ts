import { type Static, Type } from 'typebox'
import { findAddressId } from '../../../store/read/address/account.ts'
import { findIbcClient, type IbcClientRow, listIbcClients } from '../../../store/read/ibc/client.ts'
import { toSafeInteger } from '../../http/write-json.ts'
import type { RouteGroup } from '../../route.ts'
import { IbcClient } from '../../schema/bridge/ibc.ts'
import { Address, Limit, Offset, SortDesc } from '../../schema/query.ts'
import { NoContent } from '../../schema/values.ts'
import { toShortAddressOr } from '../../view/account.ts'

const ClientList = Type.Object({
  limit: Limit,
  offset: Offset,
  sort: SortDesc,
  chain_id: Type.Optional(Type.String()),
  creator: Type.Optional(Address),
})

const toIbcClient = ({ client_id, creator, ...row }: IbcClientRow): Static<typeof IbcClient> => ({
  id: client_id,
  type: row.type,
  created_at: row.created_at,
  updated_at: row.updated_at,
  height: row.height,
  chain_id: row.chain_id,
  tx_hash: row.tx_hash ?? '',
  latest_revision_height: toSafeInteger(row.latest_revision_height),
  latest_revision_number: toSafeInteger(row.latest_revision_number),
  frozen_revision_height: toSafeInteger(row.frozen_revision_height),
  frozen_revision_number: toSafeInteger(row.frozen_revision_number),
  trusting_period: toSafeInteger(row.trusting_period),
  unbonding_period: toSafeInteger(row.unbonding_period),
  max_clock_drift: toSafeInteger(row.max_clock_drift),
  trust_level_denominator: toSafeInteger(row.trust_level_denominator),
  trust_level_numerator: toSafeInteger(row.trust_level_numerator),
  connection_count: row.connection_count,
  creator: toShortAddressOr(creator, undefined),
})

export const ibcClientRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/ibc/client',
    {
      schema: {
        operationId: 'list-ibc-clients',
        summary: 'IBC light clients, newest first',
        tags: ['ibc'],
        querystring: ClientList,
        response: { 200: Type.Array(IbcClient), 204: NoContent },
      },
    },
    async ({ query: { creator, ...query } }) => {
      const creator_id = creator && (await findAddressId(db, creator))
      if (creator && creator_id === undefined) return undefined
      return (await listIbcClients(db, { ...query, creator_id })).map(toIbcClient)
    },
  )

  app.get(
    '/ibc/client/:id',
    {
      schema: {
        operationId: 'get-ibc-client',
        summary: 'An IBC light client',
        tags: ['ibc'],
        params: Type.Object({ id: Type.String() }),
        response: { 200: IbcClient, 204: NoContent },
      },
    },
    async ({ params }) => {
      const row = await findIbcClient(db, params.id)
      return row && toIbcClient(row)
    },
  )
}
