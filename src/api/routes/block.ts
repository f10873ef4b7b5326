import { Type } from 'typebox'
import { joinBlobs, pageOfBlockBlobs } from '../../store/read/blob.ts'
import { countBlockBlobs, findBlock, findBlockEvents, findBlockStats, findOds, listBlocks } from '../../store/read/block.ts'
import { listBlockMessages } from '../../store/read/tx/message.ts'
import { messageTypeId } from '../../types/message-type.ts'
import { LongList, type RouteGroup } from '../route.ts'
import { BlobLog } from '../schema/blob.ts'
import { Block, BlockStats, ODS } from '../schema/block.ts'
import { MessageType } from '../schema/enums.ts'
import { Event } from '../schema/event.ts'
import { Message } from '../schema/message.ts'
import { BlockHeight, CommaList, Flag, Height, Paging, SortAsc, SortDesc } from '../schema/query.ts'
import { Integer, NoContent } from '../schema/values.ts'
import { toBlobLog } from '../view/blob.ts'
import { toBlockStats, toFullBlock } from '../view/block.ts'
import { toEvents } from '../view/event.ts'
import { readMessage } from '../view/message.ts'
import { toOdsAnswer } from '../view/ods.ts'
import { toTx } from '../view/tx.ts'

const AtHeight = Type.Object({ height: Height })
const WithStats = Flag(false, 'adds the statistics of the block')
const BlobOrder = { sort: SortDesc, sort_by: Type.Optional(Type.Enum(['time', 'size'])) }
const tags = ['block']

export const blockRoutes: RouteGroup = (app, ctx) => {
  const { db } = ctx

  app.get(
    '/block',
    {
      schema: {
        operationId: 'list-blocks',
        summary: 'Blocks by height; the proposer comes with the statistics',
        tags,
        querystring: Type.Object({ ...Paging, sort: SortAsc, stats: WithStats }),
        response: { 200: Type.Array(Block) },
      },
      needsState: false,
      cursorOf: ({ id }) => id,
      // Heights follow each other, so every offset is found without walking to it.
      deepestOffset: Number.POSITIVE_INFINITY,
    },
    async ({ query }) => {
      const head = ctx.head()
      if (!head) return []
      const rows = await listBlocks(db, { ...query, head: head.last_height })
      return rows.map((row) => toFullBlock(row, query.stats))
    },
  )

  app.get(
    '/block/count',
    {
      schema: {
        operationId: 'count-blocks',
        summary: 'Number of blocks in the index, genesis included',
        notOnPage: 'the height of the head says it',
        tags,
        response: { 200: Integer, 204: NoContent },
      },
      needsState: false,
    },
    () => {
      const head = ctx.head()
      return head && head.last_height - head.first_height + 1
    },
  )

  app.get(
    '/block/:height',
    {
      schema: {
        operationId: 'get-block',
        summary: 'A block; height 0 is genesis',
        tags,
        params: AtHeight,
        querystring: Type.Object({ stats: WithStats }),
        response: { 200: Block, 204: NoContent },
      },
      needsState: false,
    },
    async ({ params, query }) => {
      const row = await findBlock(db, params.height)
      return row && toFullBlock(row, query.stats)
    },
  )

  app.get(
    '/block/:height/stats',
    {
      schema: {
        operationId: 'get-block-stats',
        summary: 'Statistics of a block',
        notOnPage: 'the block comes with its statistics',
        tags,
        params: AtHeight,
        response: { 200: BlockStats, 204: NoContent },
      },
      needsState: false,
      cache: 'closed',
    },
    async ({ params }) => {
      const row = await findBlockStats(db, params.height)
      return row && toBlockStats(row)
    },
  )

  app.get(
    '/block/:height/events',
    {
      schema: {
        operationId: 'list-block-events',
        summary: 'Events of the begin and the end of a block',
        tags,
        params: AtHeight,
        querystring: Type.Object(Paging),
        response: { 200: Type.Array(Event) },
      },
      needsState: false,
      cache: 'closed',
      cursorOf: ({ id }) => id,
    },
    async ({ params: { height }, query }) => {
      const row = await findBlockEvents(db, height)
      return row ? toEvents({ height, time: row.time, before: row.tx_events_count, events: row.events }, query) : []
    },
  )

  app.get(
    '/block/:height/messages',
    {
      schema: {
        operationId: 'list-block-messages',
        summary: 'Messages of a block with their txs',
        notOnPage: 'the transactions of the block lead to their messages',
        tags,
        params: Type.Object({ height: BlockHeight }),
        querystring: Type.Object({
          ...Paging,
          msg_type: Type.Optional(CommaList(MessageType)),
          excluded_msg_type: Type.Optional(CommaList(MessageType)),
        }),
        response: { 200: Type.Array(Message) },
      },
      needsState: false,
      mayBeDetached: true,
      cache: 'closed',
      cursorOf: ({ id }) => id,
    },
    async ({ params: { height }, query }) => {
      const { msg_type, excluded_msg_type, ...page } = query
      const types = msg_type?.map((name) => messageTypeId(name)!)
      const excludedTypes = excluded_msg_type?.map((name) => messageTypeId(name)!)
      const rows = await listBlockMessages(db, { ...page, height, types, excludedTypes })
      return LongList.of(rows, async (row) => ({ ...(await readMessage(db, row, row.tx_success)), tx: toTx(row) }))
    },
  )

  app.get(
    '/block/:height/blobs',
    {
      schema: {
        operationId: 'list-block-blobs',
        summary: 'Blobs of a block',
        tags,
        params: AtHeight,
        querystring: Type.Object({ ...Paging, ...BlobOrder }),
        response: { 200: Type.Array(BlobLog) },
      },
      needsState: false,
      mayBeDetached: true,
      cursorOf: ({ id }, { sort_by }) => (sort_by === 'size' ? undefined : id),
    },
    async ({ params: { height }, query }) => {
      const page = pageOfBlockBlobs(db, { ...query, height })
      return (await joinBlobs(db, page, query, { namespace: true, tx: true, signer: true, rollup: true })).map(toBlobLog)
    },
  )

  app.get(
    '/block/:height/blobs/count',
    {
      schema: {
        operationId: 'count-block-blobs',
        summary: 'Number of blobs in a block',
        notOnPage: 'the statistics of the block count its blobs',
        tags,
        params: AtHeight,
        response: { 200: Integer, 204: NoContent },
      },
      needsState: false,
      cache: 'closed',
    },
    ({ params }) => countBlockBlobs(db, params.height),
  )

  app.get(
    '/block/:height/ods',
    {
      schema: {
        operationId: 'get-block-ods',
        summary: 'Map of the original data square',
        description: 'Runs of equal namespace in row-major order; `from` and `to` are [row, column], both inclusive.',
        tags,
        params: AtHeight,
        response: { 200: ODS, 204: NoContent },
      },
      needsState: false,
      cache: 'closed',
    },
    async ({ params }) => {
      const row = await findOds(db, params.height)
      return row && toOdsAnswer(row.square_size, row.ods)
    },
  )
}
