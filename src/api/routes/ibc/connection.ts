import { type Static, Type } from 'typebox'
import {
  findIbcConnection,
  type IbcClientRef,
  type IbcConnectionRow,
  listIbcConnections,
} from '../../../store/read/ibc/connection.ts'
import type { RouteGroup } from '../../route.ts'
import { IbcConnection, type ShortIbcClient } from '../../schema/bridge/ibc.ts'
import { Limit, Offset, SortDesc } from '../../schema/query.ts'
import { NoContent } from '../../schema/values.ts'

const ConnectionList = Type.Object({ limit: Limit, offset: Offset, sort: SortDesc, client_id: Type.Optional(Type.String()) })

export function toShortIbcClient(client: IbcClientRef | null): Static<typeof ShortIbcClient> | undefined {
  if (client === null) return undefined
  const [id, type, chain_id] = client
  return { id, type, chain_id }
}

/** How an unset time reads where the contract has no way to leave it out (docs/rules.md R19). */
const UNSET_TIME = '0001-01-01T00:00:00Z'

const toIbcConnection = ({ connection_id, client, ...row }: IbcConnectionRow): Static<typeof IbcConnection> => ({
  ...row,
  id: connection_id,
  connected_at: row.connected_at ?? UNSET_TIME,
  connected_height: row.connected_height ?? 0,
  created_tx_hash: row.created_tx_hash ?? '',
  connected_tx_hash: row.connected_tx_hash ?? '',
  client: toShortIbcClient(client),
})

export const ibcConnectionRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/ibc/connection',
    {
      schema: {
        operationId: 'list-ibc-connections',
        summary: 'IBC connections, newest first',
        tags: ['ibc'],
        querystring: ConnectionList,
        response: { 200: Type.Array(IbcConnection) },
      },
    },
    async ({ query }) => (await listIbcConnections(db, query)).map(toIbcConnection),
  )

  app.get(
    '/ibc/connection/:id',
    {
      schema: {
        operationId: 'get-ibc-connection',
        summary: 'An IBC connection',
        tags: ['ibc'],
        params: Type.Object({ id: Type.String() }),
        response: { 200: IbcConnection, 204: NoContent },
      },
    },
    async ({ params }) => {
      const row = await findIbcConnection(db, params.id)
      return row && toIbcConnection(row)
    },
  )
}
