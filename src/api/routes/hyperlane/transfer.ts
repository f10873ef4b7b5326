import { type Static, Type } from 'typebox'
import { toBase64, toHex } from '../../../lib/bytes.ts'
import { findAddressId } from '../../../store/read/address/account.ts'
import { findHlTransfer, type HlTransferRow, listHlTransfers } from '../../../store/read/hyperlane/transfer.ts'
import { type DomainEntry, findDomains } from '../../../store/read/offchain-documents.ts'
import { checkRunningNumber } from '../../http/running-number.ts'
import type { RouteGroup } from '../../route.ts'
import { HLTransferType } from '../../schema/enums.ts'
import { HyperlaneTransfer } from '../../schema/hyperlane.ts'
import { Address, CommaList, Count, HexId, Paging, RowId, SortDesc, TxHash } from '../../schema/query.ts'
import { NoContent } from '../../schema/values.ts'
import { toShortAddressOr } from '../../view/account.ts'
import { toChainMetadata } from '../../view/chain-metadata.ts'

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

/** The amount is called `received` whatever the direction, as clients know it (docs/rules.md R35). */
const toTransfer = (row: HlTransferRow, domains: Map<number, DomainEntry>): Static<typeof HyperlaneTransfer> => ({
  id: row.id,
  height: row.height,
  time: row.time,
  tx_hash: row.tx_hash ?? undefined,
  mailbox: row.mailbox,
  token_id: row.token_id,
  type: row.direction,
  version: row.version,
  nonce: row.nonce,
  body: toBase64(row.body) || undefined,
  metadata: toBase64(row.metadata) || undefined,
  received: row.amount,
  denom: row.denom,
  address: toShortAddressOr(row.address, undefined),
  relayer: toShortAddressOr(row.relayer, undefined),
  gas_payment: toGasPayment(row.gas_payment),
  counterparty: { hash: row.counterparty, domain: row.domain || undefined, chain_metadata: toChainMetadata(row.domain, domains) },
})

function toGasPayment(payment: HlTransferRow['gas_payment']) {
  if (payment === null) return undefined
  const [amount, gas_amount, igp_id] = payment
  return { amount, gas_amount, igp_id }
}

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
      return rows.map((row) => toTransfer(row, domains))
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
      return row && toTransfer(row, await findDomains(db, [row.domain]))
    },
  )
}
