import { type Static, Type } from 'typebox'
import type { Reader } from '../../../store/db.ts'
import { findAddressId } from '../../../store/read/address/account.ts'
import { type AddressMessageRow, listAddressMessages, listAddressTxs } from '../../../store/read/address/activity.ts'
import { joinBlobs, pageOfBlobs } from '../../../store/read/blob.ts'
import { addressRoleName } from '../../../types/address-role.ts'
import { type MessageType as MessageTypeName, messageTypeId } from '../../../types/message-type.ts'
import { unknownAddress } from '../../http/unknown.ts'
import { checkRunningNumber } from '../../lists/running-number.ts'
import { LongList, type RouteGroup } from '../../route.ts'
import { BlobLog } from '../../schema/blob.ts'
import { MessageType, Status } from '../../schema/enums.ts'
import { type Message, MessageForAddress } from '../../schema/message.ts'
import { Address, CommaList, Flag, Height, Paging, Period, SortAsc, SortDesc } from '../../schema/query.ts'
import { Tx } from '../../schema/tx.ts'
import { NoContent } from '../../schema/values.ts'
import { toBlobLog } from '../../view/blob.ts'
import { readMessage } from '../../view/message.ts'
import { toMessageTypes, toTx } from '../../view/tx.ts'

const Hash = Type.Object({ hash: Address })

const TxList = Type.Object({
  ...Paging,
  sort: SortAsc,
  height: Type.Optional(Height),
  status: Type.Optional(CommaList(Status)),
  msg_type: Type.Optional(CommaList(MessageType)),
  ...Period,
})

const MessageList = Type.Object({ ...Paging, sort: SortAsc, msg_type: Type.Optional(CommaList(MessageType)) })

const BlobList = Type.Object({
  ...Paging,
  sort: SortDesc,
  sort_by: Type.Optional(Type.Enum(['time', 'size'])),
  joins: Flag(true, 'adds the tx of each blob'),
})

const typeIds = (names: MessageTypeName[] | undefined): number[] | undefined => names?.map((name) => messageTypeId(name)!)

type AddressMessage = Static<typeof MessageForAddress>

function readMessageForAddress(db: Reader, row: AddressMessageRow): AddressMessage | Promise<AddressMessage> {
  const message = readMessage(db, row, row.tx_success)
  return message instanceof Promise ? message.then((read) => toMessageForAddress(read, row)) : toMessageForAddress(message, row)
}

const toMessageForAddress = (message: Static<typeof Message>, row: AddressMessageRow): AddressMessage =>
  Object.assign(message, {
    invocation_type: addressRoleName(row.role)!,
    tx: {
      messages_count: row.tx_messages_count,
      hash: row.tx_hash ?? '',
      fee: row.tx_fee,
      message_types: toMessageTypes(row.tx_message_types),
      status: row.tx_success ? ('success' as const) : ('failed' as const),
    },
  })

/** Activity of an account on the chain. */
export const addressActivityRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/address/:hash/txs',
    {
      schema: {
        operationId: 'list-address-txs',
        summary: 'Transactions signed by an account, oldest first',
        tags: ['address'],
        params: Hash,
        querystring: TxList,
        response: { 200: Type.Array(Tx), 204: NoContent },
      },
      needsState: false,
      cursorOf: (row) => row.id,
    },
    async ({ params, query: { msg_type, ...query } }) =>
      (await listAddressTxs(db, { ...query, address: params.hash, types: typeIds(msg_type) }))?.map(toTx),
  )

  app.get(
    '/address/:hash/messages',
    {
      schema: {
        operationId: 'list-address-messages',
        summary: 'Messages that name an account, oldest first',
        description: 'A message in which the account has two roles comes twice.',
        tags: ['address'],
        params: Hash,
        querystring: MessageList,
        response: { 200: Type.Array(MessageForAddress) },
      },
      needsState: false,
    },
    async ({ params, query: { msg_type, ...query } }) => {
      const rows = await listAddressMessages(db, { ...query, address: params.hash, types: typeIds(msg_type) })
      if (!rows) throw unknownAddress(params.hash)
      return LongList.of(rows, (row) => readMessageForAddress(db, row))
    },
  )

  app.get(
    '/address/:hash/blobs',
    {
      schema: {
        operationId: 'list-address-blobs',
        summary: 'Blobs pushed by an account, newest first',
        tags: ['address'],
        params: Hash,
        querystring: BlobList,
        response: { 200: Type.Array(BlobLog) },
      },
      needsState: false,
      cursorOf: (row, query) => (query.sort_by === 'size' ? undefined : row.id),
    },
    async ({ params, query: { joins, ...query } }) => {
      const id = await findAddressId(db, params.hash)
      if (id === undefined) throw unknownAddress(params.hash)
      await checkRunningNumber(db, 'blob', query.cursor, 'cursor')
      const page = pageOfBlobs(db, { ...query, signerIds: [id] })
      return (await joinBlobs(db, page, query, { namespace: true, tx: joins })).map(toBlobLog)
    },
  )
}
