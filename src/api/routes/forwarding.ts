import { type Static, Type } from 'typebox'
import { messageData } from '../../decode/message.ts'
import { findAddressId } from '../../store/read/address/account.ts'
import {
  type ForwardingInputRow,
  type ForwardingRow,
  findForwarding,
  listForwardingInputs,
  listForwardings,
} from '../../store/read/forwarding.ts'
import { type DomainEntry, findDomains } from '../../store/read/offchain-documents.ts'
import { findTxIds } from '../../store/read/tx/tx-id.ts'
import { messageTypeId, typeUrlOf } from '../../types/message-type.ts'
import { unknownAddress, unknownTx } from '../http/unknown.ts'
import { checkRunningNumber } from '../lists/running-number.ts'
import type { RouteGroup } from '../route.ts'
import { Forwarding, type ForwardingInput } from '../schema/bridge/modules.ts'
import { Address, BlockHeight, Paging, Period, RowId, SortDesc, TxHash } from '../schema/query.ts'
import { NoContent } from '../schema/values.ts'
import { toShortAddress } from '../view/account.ts'

/** `from` and `to` do filter here; the reference takes and ignores them. */
const ForwardingList = Type.Object({
  ...Paging,
  sort: SortDesc,
  tx_hash: Type.Optional(TxHash),
  address: Type.Optional(Address),
  height: Type.Optional(BlockHeight),
  ...Period,
})

type Domains = Map<number, DomainEntry>

const toForwarding = (row: ForwardingRow, domains: Domains): Static<typeof Forwarding> => ({
  id: row.id,
  height: row.height,
  time: row.time,
  tx_hash: row.tx_hash ?? '',
  dest_domain: row.dest_domain,
  dest_address: row.dest_recipient,
  amount: row.amount,
  denom: row.denom,
  message_id: row.message_id,
  token_id: row.token_id,
  chain: domains.get(row.dest_domain),
  forward_address: toShortAddress(row.forward_address),
})

const MSG_SEND = typeUrlOf(messageTypeId('MsgSend')!)

/** One input per coin: a plain send may carry several. */
function toInputs(row: ForwardingInputRow, domains: Domains): Static<typeof ForwardingInput>[] {
  const arrival = { height: row.height, time: row.time, tx_hash: row.tx_hash ?? '' }
  if (row.kind !== 'send') {
    const { from, received, denom } = row
    return [{ ...arrival, from, received, denom, chain: row.kind === 'hyperlane' ? domains.get(row.domain) : undefined }]
  }
  const { FromAddress, Amount } = messageData(MSG_SEND, row.value, { success: true }) as {
    FromAddress: string
    Amount: { Denom: string; Amount: string }[]
  }
  return Amount.map((coin) => ({ ...arrival, from: FromAddress, received: coin.Amount, denom: coin.Denom }))
}

export const forwardingRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/forwarding',
    {
      schema: {
        operationId: 'list-forwardings',
        summary: 'Tokens passed on by forwarding accounts, newest first',
        tags: ['forwarding'],
        querystring: ForwardingList,
        response: { 200: Type.Array(Forwarding) },
      },
      cursorOf: (row) => row.id,
    },
    async ({ query: { tx_hash, address, ...query } }) => {
      const tx_ids = tx_hash && (await findTxIds(db, tx_hash))
      if (tx_hash && tx_ids?.length === 0) throw unknownTx(tx_hash, 'tx_hash')
      const address_id = address && (await findAddressId(db, address))
      if (address && address_id === undefined) throw unknownAddress(address, 'address')
      const rows = await listForwardings(db, { ...query, tx_ids, address_id })
      const domains = await findDomains(db, [...new Set(rows.map((row) => row.dest_domain))])
      return rows.map((row) => toForwarding(row, domains))
    },
  )

  app.get(
    '/forwarding/:id',
    {
      schema: {
        operationId: 'get-forwarding',
        summary: 'A forwarding and the coins that came in for it',
        tags: ['forwarding'],
        params: Type.Object({ id: RowId }),
        response: { 200: Forwarding, 204: NoContent },
      },
    },
    async ({ params }) => {
      await checkRunningNumber(db, 'forwarding', params.id, 'id')
      const row = await findForwarding(db, params.id)
      if (!row) return undefined
      const inputs = await listForwardingInputs(db, row)
      const origins = inputs.flatMap((input) => (input.kind === 'hyperlane' ? [input.domain] : []))
      const domains = await findDomains(db, [...new Set([row.dest_domain, ...origins])])
      return { ...toForwarding(row, domains), inputs: inputs.flatMap((input) => toInputs(input, domains)) }
    },
  )
}
