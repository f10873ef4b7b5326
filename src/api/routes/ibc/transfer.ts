import { Type } from 'typebox'
import { findAddressId } from '../../../store/read/address/account.ts'
import { findIbcTransfer, listIbcTransfers } from '../../../store/read/ibc/transfer.ts'
import { readRelayers } from '../../../store/read/offchain-documents.ts'
import { checkRunningNumber } from '../../lists/running-number.ts'
import type { RouteGroup } from '../../route.ts'
import { IbcTransfer, Relayer } from '../../schema/bridge/ibc.ts'
import { Address, Paging, RowId, SortDesc, TxHash } from '../../schema/query.ts'
import { NoContent } from '../../schema/values.ts'
import { findRelayers, toIbcTransfer } from '../../view/ibc-transfer.ts'

const TransferList = Type.Object({
  ...Paging,
  sort: SortDesc,
  channel_id: Type.Optional(Type.String()),
  chain_id: Type.Optional(Type.String()),
  receiver: Type.Optional(Address),
  sender: Type.Optional(Address),
  address: Type.Optional(Address),
  hash: Type.Optional(TxHash),
})

export const ibcTransferRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/ibc/transfer',
    {
      schema: {
        operationId: 'list-ibc-transfers',
        summary: 'Token transfers over IBC, newest first',
        tags: ['ibc'],
        querystring: TransferList,
        response: { 200: Type.Array(IbcTransfer), 204: NoContent },
      },
      cursorOf: (row) => row.id,
    },
    async ({ query: { sender, receiver, address, hash, ...query } }) => {
      const [sender_id, receiver_id, party_id] = await Promise.all(
        [sender, receiver, address].map((party) => party && findAddressId(db, party)),
      )
      const isUnknown = (party: Buffer | undefined, id: number | undefined) => party !== undefined && id === undefined
      if (isUnknown(sender, sender_id) || isUnknown(receiver, receiver_id) || isUnknown(address, party_id)) return undefined
      const rows = await listIbcTransfers(db, { ...query, sender_id, receiver_id, party_id, tx_hash: hash })
      const relayers = await findRelayers(db, rows)
      return rows.map((row) => toIbcTransfer(row, relayers))
    },
  )

  app.get(
    '/ibc/transfer/:id',
    {
      schema: {
        operationId: 'get-ibc-transfer',
        summary: 'A token transfer over IBC',
        tags: ['ibc'],
        params: Type.Object({ id: RowId }),
        response: { 200: IbcTransfer, 204: NoContent },
      },
    },
    async ({ params }) => {
      await checkRunningNumber(db, 'ibc_transfer', params.id, 'id')
      const row = await findIbcTransfer(db, params.id)
      return row && toIbcTransfer(row, await findRelayers(db, [row]))
    },
  )

  app.get(
    '/ibc/relayers',
    {
      schema: {
        operationId: 'list-ibc-relayers',
        summary: 'Known relayers and the accounts they use',
        tags: ['ibc'],
        response: { 200: Type.Array(Relayer) },
      },
      cache: 'none',
      needs: 'offchain',
    },
    () => readRelayers(db),
  )
}
