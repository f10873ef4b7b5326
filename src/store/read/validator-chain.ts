import type { Reader } from '../db.ts'
import { direction, optional } from '../sql/fragment.ts'
import { type BlockRow, type BlockStatsRow, blockColumns, blockStatsColumns } from './block.ts'
import type { NumberedPage } from './numbered.ts'
import { readPage } from './partition.ts'
import { type MessageRow, messageColumns } from './tx/message.ts'
import { withinIds } from './tx/tx.ts'

export type ProposedBlockRow = BlockRow & BlockStatsRow

/** Blocks that a validator proposed, newest first. */
export function listProposedBlocks(
  sql: Reader,
  f: { id: number; limit: number; offset: number; before?: number | undefined },
): Promise<ProposedBlockRow[]> {
  return sql<ProposedBlockRow[]>`
    with page as materialized (
      select b.height
      from block b
      where b.proposer_id = ${f.id}
        ${optional`and b.height < ${f.before}::bigint`}
      order by b.height desc
      limit ${f.limit} offset ${f.before === undefined ? f.offset : 0}
    )
    select ${blockColumns(sql)}, ${blockStatsColumns(sql)}
    from page
    join block b on b.height = page.height
    order by b.height desc`
}

export type ValidatorMessageFilter = NumberedPage & { id: number; from?: number | undefined; to?: number | undefined }

/** Messages that name a validator, and whether their tx took effect. */
export function listValidatorMessages(sql: Reader, f: ValidatorMessageFilter): Promise<(MessageRow & { success: boolean })[]> {
  const ids = sql`
    select l.message_id as id
    from message_validator l
    where l.validator_id = ${f.id}
      ${withinIds(sql, f, sql`l.message_id`)}
    order by l.message_id ${direction(f.sort)}
    limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}`
  return readPage(
    sql,
    ids,
    (page, { tx, message }) => sql<(MessageRow & { success: boolean })[]>`
      with ${page}
      select ${messageColumns(sql)}, t.success
      from page
      join ${message} m on m.height = page.height and m.id = page.id
      join ${tx} t on t.height = m.height and t.id = m.tx_id
      order by m.id ${direction(f.sort)}`,
  )
}
