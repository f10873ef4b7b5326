import { Type } from 'typebox'
import { toHex } from '../../../lib/encoding/bytes.ts'
import { findAddressId } from '../../../store/read/address/account.ts'
import { findHlTransfer, listHlTransfers } from '../../../store/read/hyperlane/transfer.ts'
import { findDomains } from '../../../store/read/offchain-documents.ts'
import { checkRunningNumber } from '../../lists/running-number.ts'
import type { RouteGroup } from '../../route.ts'
import { HyperlaneTransfer } from '../../schema/bridge/hyperlane.ts'
import { HLTransferType } from '../../schema/enums.ts'
import { Address, CommaList, Count, HexId, Paging, RowId, SortDesc, TxHash } from '../../schema/query.ts'
import { NoContent } from '../../schema/values.ts'
import { toHyperlaneTransfer } from '../../view/hyperlane-transfer.ts'

const TransferList = Type.Object({
  ...Paging,
  sort: SortDesc,
  address: Type.Optional(Address),
  relayer: Type.Optional(Address),
  mailbox: Type.Optional(HexId),
  token: Type.Optional(HexId),
  type: Type.Optional(CommaList(HLTransferType)),
  domain: Type.Optional(Type.Integer({ ...Count, minimum: 1 })),
  hash: Type.Optional(TxHash),
})

export const hyperlaneTransferRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/hyperlane/transfer',
    {
      schema: {
        operationId: 'list-hyperlane-transfers',
        summary: 'Token transfers over Hyperlane, newest first',
        tags: ['hyperlane'],
        querystring: TransferList,
        response: { 200: Type.Array(HyperlaneTransfer) },
      },
      cursorOf: (row) => row.id,
    },
    async ({ query: { address, relayer, mailbox, token, hash, ...query } }) => {
      const [address_id, relayer_id] = await Promise.all([address, relayer].map((party) => party && findAddressId(db, party)))
      if ((address && address_id === undefined) || (relayer && relayer_id === undefined)) return []
      const rows = await listHlTransfers(db, {
        ...query,
        address_id,
        relayer_id,
        mailbox: mailbox && toHex(mailbox),
        token: token && toHex(token),
        tx_hash: hash,
      })
      const domains = await findDomains(db, [...new Set(rows.map((row) => row.domain))])
      return rows.map((row) => toHyperlaneTransfer(row, domains))
    },
  )

  app.get(
    '/hyperlane/transfer/:id',
    {
      schema: {
        operationId: 'get-hyperlane-transfer',
        summary: 'A token transfer over Hyperlane',
        tags: ['hyperlane'],
        params: Type.Object({ id: RowId }),
        response: { 200: HyperlaneTransfer, 204: NoContent },
      },
    },
    async ({ params }) => {
      await checkRunningNumber(db, 'hl_transfer', params.id, 'id')
      const row = await findHlTransfer(db, params.id)
      return row && toHyperlaneTransfer(row, await findDomains(db, [row.domain]))
    },
  )
}
