import { type Static, Type } from 'typebox'
import { groupBy } from '../../lib/group-by.ts'
import type { Reader } from '../../store/db.ts'
import { joinBlobs, pageOfBlockBlobs } from '../../store/read/blob.ts'
import { findTxEvents } from '../../store/read/block.ts'
import { listMessagesOfTxs, listTxMessages } from '../../store/read/tx/message.ts'
import { findTx, findTxKey, listGenesisTxs, listTxs, type SignedTxRow } from '../../store/read/tx/tx.ts'
import { MESSAGE_TYPES, messageTypeId } from '../../types/message-type.ts'
import { LongList, type RouteGroup } from '../route.ts'
import { BlobLog } from '../schema/blob.ts'
import { MessageType, Status } from '../schema/enums.ts'
import { Event } from '../schema/event.ts'
import { Message, TxWithMessages } from '../schema/message.ts'
import { CommaList, Flag, Height, Paging, Period, SortAsc, SortDesc, TxName } from '../schema/query.ts'
import { Tx } from '../schema/tx.ts'
import { Integer, NoContent } from '../schema/values.ts'
import { toBlobLog } from '../view/blob.ts'
import { toEvents } from '../view/event.ts'
import { readMessage } from '../view/message.ts'
import { toSignedTx, toTx } from '../view/tx.ts'

const ByHash = Type.Object({ hash: TxName })
const tags = ['tx']

export const txRoutes: RouteGroup = (app, ctx) => {
  const { db } = ctx

  app.get(
    '/tx',
    {
      schema: {
        operationId: 'list-txs',
        summary: 'Transactions in the order of the chain',
        tags,
        querystring: Type.Object({
          ...Paging,
          sort: SortAsc,
          height: Type.Optional(Height),
          status: Type.Optional(CommaList(Status)),
          msg_type: Type.Optional(CommaList(MessageType, { description: 'holds at least one of these types' })),
          excluded_msg_type: Type.Optional(CommaList(MessageType, { description: 'holds at least one type outside these' })),
          messages: Flag(false, 'adds the messages'),
          ...Period,
        }),
        response: { 200: Type.Array(TxWithMessages) },
      },
      needsState: false,
      mayBeDetached: true,
      cursorOf: ({ id }) => id,
    },
    async ({ query: { msg_type, excluded_msg_type, messages, ...page } }) => {
      const wanted = msg_type && toIds(msg_type)
      const others = excluded_msg_type && complementOf(toIds(excluded_msg_type))
      const rows = await listTxs(db, { ...page, types: wanted ?? others, otherTypes: wanted && others })
      if (!messages) return rows.map(toSignedTx)
      return new LongList(rows, () => withMessages(db, rows))
    },
  )

  app.get(
    '/tx/count',
    {
      schema: {
        operationId: 'count-txs',
        summary: 'Number of transactions',
        notOnPage: 'the head counts transactions',
        tags,
        response: { 200: Integer, 204: NoContent },
      },
      needsState: false,
    },
    () => ctx.head()?.total_tx,
  )

  app.get(
    '/tx/genesis',
    {
      schema: {
        operationId: 'list-genesis-txs',
        summary: 'Transactions of the genesis document; they have no hash and are found by id',
        notOnPage: 'block 0 lists them',
        tags,
        querystring: Type.Object({ ...Paging, sort: SortAsc }),
        response: { 200: Type.Array(Tx) },
      },
      cache: 'closed',
      cursorOf: ({ id }) => id,
    },
    async ({ query }) => (await listGenesisTxs(db, query)).map(toTx),
  )

  app.get(
    '/tx/:hash',
    {
      schema: {
        operationId: 'get-tx',
        summary: 'A transaction',
        tags,
        params: ByHash,
        response: { 200: Tx, 204: NoContent },
      },
      needsState: false,
      mayBeDetached: true,
    },
    async ({ params }) => {
      const row = await findTx(db, params.hash)
      return row && toSignedTx(row)
    },
  )

  app.get(
    '/tx/:hash/events',
    {
      schema: {
        operationId: 'list-tx-events',
        summary: 'Events of a transaction',
        tags,
        params: ByHash,
        querystring: Type.Object(Paging),
        response: { 200: Type.Array(Event), 204: NoContent },
      },
      needsState: false,
      mayBeDetached: true,
      cache: 'closed',
      cursorOf: ({ id }) => id,
    },
    async ({ params, query }) => {
      const row = await findTxEvents(db, params.hash)
      if (!row) return undefined
      const { height, time, id: txId, events_before: before, events } = row
      return toEvents({ height, time, txId, before, events }, query)
    },
  )

  app.get(
    '/tx/:hash/messages',
    {
      schema: {
        operationId: 'list-tx-messages',
        summary: 'Messages of a transaction',
        tags,
        params: ByHash,
        querystring: Type.Object(Paging),
        response: { 200: Type.Array(Message), 204: NoContent },
      },
      needsState: false,
      mayBeDetached: true,
      cache: 'closed',
      cursorOf: ({ id }) => id,
    },
    async ({ params, query }) => {
      const rows = await listTxMessages(db, params.hash, query)
      return rows && LongList.of(rows, (row) => readMessage(db, row, row.tx_success))
    },
  )

  app.get(
    '/tx/:hash/blobs',
    {
      schema: {
        operationId: 'list-tx-blobs',
        summary: 'Blobs of a transaction',
        tags,
        params: ByHash,
        querystring: Type.Object({ ...Paging, sort: SortDesc, sort_by: Type.Optional(Type.Enum(['time', 'size'])) }),
        response: { 200: Type.Array(BlobLog), 204: NoContent },
      },
      needsState: false,
      mayBeDetached: true,
      cursorOf: ({ id }, { sort_by }) => (sort_by === 'size' ? undefined : id),
    },
    async ({ params, query }) => {
      const tx = await findTxKey(db, params.hash)
      if (!tx) return undefined
      if (tx.blobs_count === 0) return []
      const page = pageOfBlockBlobs(db, { ...query, height: tx.height, tx_id: tx.id })
      return (await joinBlobs(db, page, query, { namespace: true, tx: true, signer: true, rollup: true })).map(toBlobLog)
    },
  )

  app.get(
    '/tx/:hash/blobs/count',
    {
      schema: {
        operationId: 'count-tx-blobs',
        summary: 'Number of blobs of a transaction',
        notOnPage: 'the blobs of the transaction are listed',
        tags,
        params: ByHash,
        response: { 200: Integer, 204: NoContent },
      },
      needsState: false,
      mayBeDetached: true,
      cache: 'closed',
    },
    async ({ params }) => (await findTxKey(db, params.hash))?.blobs_count,
  )
}

/** Messages that are read at once, as far as whole txs allow it. */
const MESSAGES_AT_ONCE = 1000

async function* withMessages(db: Reader, rows: SignedTxRow[]): AsyncGenerator<Static<typeof TxWithMessages>> {
  for (let start = 0; start < rows.length; ) {
    let end = start
    for (let count = 0; end < rows.length && (end === start || count < MESSAGES_AT_ONCE); end++)
      count += rows[end]!.tx_messages_count
    const group = rows.slice(start, end)
    const byTx = groupBy(await listMessagesOfTxs(db, group), ({ tx_id }) => tx_id)
    for (const row of group) {
      const messages: Static<typeof Message>[] = []
      for (const message of byTx.get(row.tx_id) ?? []) messages.push(await readMessage(db, message, row.tx_success))
      yield { ...toSignedTx(row), messages }
    }
    start = end
  }
}

function toIds(names: string[]): number[] {
  return names.map((name) => messageTypeId(name)!)
}

/** A tx holds a type outside a set exactly when it holds one of all the others. */
function complementOf(excluded: number[]): number[] {
  return MESSAGE_TYPES.map((_, id) => id).filter((id) => !excluded.includes(id))
}
