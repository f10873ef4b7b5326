import { Type } from 'typebox'
import { listValidatorVotes } from '../../../store/read/governance/vote.ts'
import { readUptime, type UptimePeriod } from '../../../store/read/uptime.ts'
import { listMissedBlocks, listSignedBlocks } from '../../../store/read/validator.ts'
import { listProposedBlocks, listValidatorMessages } from '../../../store/read/validator-chain.ts'
import { LongList, type RouteGroup } from '../../route.ts'
import { Block } from '../../schema/block.ts'
import { Message } from '../../schema/message.ts'
import { Vote } from '../../schema/proposal.ts'
import { EntityId, Limit, Paging, Period, SortAsc, UptimeBlocks } from '../../schema/query.ts'
import { Uptimes, ValidatorUptime } from '../../schema/validator.ts'
import { NoContent } from '../../schema/values.ts'
import { toShortAddress } from '../../view/account.ts'
import { toFullBlock } from '../../view/block.ts'
import { readMessage } from '../../view/message.ts'
import { toVote } from '../../view/vote.ts'

const Id = Type.Object({ id: EntityId })
/** Rows are validators times blocks. */
const MOST_BLOCKS_OF_ALL = 100

/** Activity of a validator: blocks, signatures, votes, and messages about it. An unknown one has none. */
export const validatorActivityRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/validators/:id/blocks',
    {
      schema: {
        operationId: 'list-validator-blocks',
        summary: 'Blocks proposed by a validator, newest first',
        tags: ['validator'],
        params: Id,
        querystring: Type.Object(Paging),
        response: { 200: Type.Array(Block) },
      },
      cursorOf: (row) => row.id,
    },
    async ({ params, query: { cursor, ...query } }) => {
      // The id of a block is its height + 1.
      const before = cursor === undefined ? undefined : cursor - 1
      return (await listProposedBlocks(db, { ...query, id: params.id, before })).map((row) => toFullBlock(row, true))
    },
  )

  const readUptimes = async (period: UptimePeriod) => {
    const uptime = await readUptime(db, period)
    if (!uptime) return undefined
    const { first_height, last_height, validators } = uptime
    const told = validators.map(({ id, moniker, expected, signed }) => ({
      id,
      moniker,
      uptime: (signed / expected).toFixed(4),
      expected,
      signed,
      missed_count: expected - signed,
    }))
    told.sort((a, b) => b.missed_count - a.missed_count || a.id - b.id)
    return { first_height, last_height, blocks: last_height - first_height + 1, validators: told }
  }

  app.get(
    '/validators/uptime',
    {
      schema: {
        operationId: 'list-uptimes',
        summary: 'Which of the last blocks, or how many of a period, each validator missed',
        description:
          '`blocks` is how many the chain has of the asked number; `last_height` is the newest whose signatures are known. At most 100 blocks of all validators, or 1,000 of one. With `from` or `to`: every validator that was in the set in that period, however long it is, with the exact number of blocks that it had to sign and that it missed, most missed first; times are those of the blocks that were signed.',
        tags: ['validator'],
        querystring: Type.Object({ limit: UptimeBlocks, validator: Type.Optional(EntityId), ...Period }),
        response: { 200: Uptimes, 204: NoContent },
      },
      cost: 2,
    },
    async ({ query }) => {
      const last = head()?.last_height
      if (last === undefined) return undefined
      const { validator, from, to } = query
      if (from !== undefined || to !== undefined) return readUptimes({ from, to, validator })
      const limit = validator === undefined ? Math.min(query.limit, MOST_BLOCKS_OF_ALL) : query.limit
      const rows = await listMissedBlocks(db, { head: last, limit, validator })
      const blocks = rows[0]?.blocks ?? 0
      return {
        last_height: last - 1,
        blocks,
        validators: rows.map(({ id, missed }) => ({
          id,
          uptime: (blocks === 0 ? 0 : (blocks - missed.length) / blocks).toFixed(4),
          missed,
        })),
      }
    },
  )

  app.get(
    '/validators/:id/uptime',
    {
      schema: {
        operationId: 'get-validator-uptime',
        summary: 'Which of the last blocks a validator signed',
        notOnPage: 'listUptimes answers all validators at once',
        tags: ['validator'],
        params: Id,
        querystring: Type.Object({ limit: Limit }),
        response: { 200: ValidatorUptime, 204: NoContent },
      },
    },
    async ({ params, query }) => {
      const last = head()?.last_height
      if (last === undefined) return undefined
      const blocks = await listSignedBlocks(db, { id: params.id, head: last, limit: query.limit })
      const signed = blocks.filter((block) => block.signed).length
      return { uptime: (signed / query.limit).toFixed(4), blocks }
    },
  )

  app.get(
    '/validators/:id/votes',
    {
      schema: {
        operationId: 'list-validator-votes',
        summary: 'Votes of a validator, newest first',
        tags: ['validator'],
        params: Id,
        querystring: Type.Object(Paging),
        response: { 200: Type.Array(Vote) },
      },
      cursorOf: (row) => row.id,
    },
    async ({ params, query }) =>
      (await listValidatorVotes(db, { ...query, id: params.id })).map((row) => ({
        ...toVote(row),
        voter: toShortAddress(row.voter),
      })),
  )

  app.get(
    '/validators/:id/messages',
    {
      schema: {
        operationId: 'list-validator-messages',
        summary: 'Messages that name a validator, oldest first',
        tags: ['validator'],
        params: Id,
        querystring: Type.Object({ ...Paging, sort: SortAsc, ...Period }),
        response: { 200: Type.Array(Message) },
      },
      cursorOf: (row) => row.id,
    },
    async ({ params, query }) => {
      const rows = await listValidatorMessages(db, { ...query, id: params.id })
      // The contract's rows of this list do not lead to the tx.
      return LongList.of(rows, async (row) => ({ ...(await readMessage(db, row, row.success)), tx_id: undefined }))
    },
  )
}
