import { type Static, Type } from 'typebox'
import { findIbcChannel, type IbcChannelRow, listIbcChannels } from '../../../store/read/ibc/channel.ts'
import type { RouteGroup } from '../../route.ts'
import { IbcChannel } from '../../schema/bridge/ibc.ts'
import { IbcChannelStatus } from '../../schema/enums.ts'
import { Limit, Offset, SortDesc } from '../../schema/query.ts'
import { NoContent } from '../../schema/values.ts'
import { toShortAddressOr } from '../../view/account.ts'
import { toShortIbcClient } from './connection.ts'

const ChannelList = Type.Object({
  limit: Limit,
  offset: Offset,
  sort: SortDesc,
  client_id: Type.Optional(Type.String()),
  connection_id: Type.Optional(Type.String()),
  status: Type.Optional(IbcChannelStatus),
})

const toIbcChannel = ({ channel_id, ordered, client, creator, ...row }: IbcChannelRow): Static<typeof IbcChannel> => ({
  ...row,
  id: channel_id,
  confirmed_at: row.confirmed_at ?? undefined,
  confirmation_height: row.confirmation_height ?? undefined,
  created_tx_hash: row.created_tx_hash ?? '',
  confirmation_tx_hash: row.confirmation_tx_hash ?? undefined,
  ordering: ordered,
  client: toShortIbcClient(client),
  creator: toShortAddressOr(creator, undefined),
})

export const ibcChannelRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/ibc/channel',
    {
      schema: {
        operationId: 'list-ibc-channels',
        summary: 'IBC channels, newest first',
        tags: ['ibc'],
        querystring: ChannelList,
        response: { 200: Type.Array(IbcChannel) },
      },
    },
    async ({ query }) => (await listIbcChannels(db, query)).map(toIbcChannel),
  )

  app.get(
    '/ibc/channel/:id',
    {
      schema: {
        operationId: 'get-ibc-channel',
        summary: 'An IBC channel',
        tags: ['ibc'],
        params: Type.Object({ id: Type.String() }),
        response: { 200: IbcChannel, 204: NoContent },
      },
    },
    async ({ params }) => {
      const row = await findIbcChannel(db, params.id)
      return row && toIbcChannel(row)
    },
  )
}
