import type { Reader } from '../../db.ts'
import { readSealed, unsealedBytes } from '../../segments/sealed.ts'
import { optional } from '../../sql/fragment.ts'
import { type OwnedRow, pageOfOwner } from '../owner.ts'
import { cutPage } from '../page.ts'
import { firstKeptId, readPage, tableAt, tablesOf } from '../partition.ts'
import { readOfNamedTx, type TxName } from './named-tx.ts'
import type { TxRow } from './tx.ts'
import { txColumns } from './tx.ts'

/** A message; its `data` is decoded from `value` where it is shown. */
export type MessageRow = {
  id: number
  height: number
  time: string
  position: number
  size: number
  tx_id: number
  type: number
  /** only when it is not the canonical one of the type */
  type_url: string | null
  /** null when it is large or in a segment: it is read when its turn comes, so that a page never holds many of them */
  value: Buffer | null
}

/** Columns of a `MessageRow` over `message m`. A value above 16 KiB is left out and not even fetched from where PostgreSQL keeps large ones. */
export function messageColumns(sql: Reader) {
  return sql`
    m.id, m.height, m.time, m.position, m.size, m.tx_id, m.type, m.type_url,
    case when m.size <= 16384 then ${unsealedBytes(sql, 'message')} end as value`
}

/** A value that did not come with its row; undefined when the message was taken back meanwhile. */
export async function findMessageValue(sql: Reader, { height, id }: { height: number; id: number }): Promise<Buffer | undefined> {
  const [row] = await sql<{ value: Buffer | null }[]>`
    select ${unsealedBytes(sql, 'message')} as value from ${tableAt(sql, 'message', height)} m where m.height = ${height} and m.id = ${id}`
  return row && (row.value ?? readSealed(sql, 'message', height, id))
}

type Page = { limit: number; offset: number; cursor?: number | undefined }

/** In the order of the tx; undefined when it is unknown. */
export async function listTxMessages(
  sql: Reader,
  name: TxName,
  f: Page,
): Promise<(MessageRow & { tx_success: boolean })[] | undefined> {
  type Row = OwnedRow<MessageRow & { tx_success: boolean }>
  const rows = await readOfNamedTx(
    sql,
    name,
    ({ tx, message }, isNamed) => sql<Row[]>`
      select t.success as tx_success, page.*
      from (select t.height, t.id, t.success from ${tx} t where ${isNamed} order by t.id limit 1) t
      left join lateral (
        select true as owned, ${messageColumns(sql)}
        from ${message} m
        where m.tx_id = t.id and m.height = t.height
          ${optional`and m.id > ${f.cursor}`}
        order by m.id
        limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}) page on true
      order by page.id`,
  )
  return pageOfOwner(rows)
}

/** Messages of several txs at once, in order. */
export function listMessagesOfTxs(sql: Reader, txs: { tx_id: number }[]): Promise<MessageRow[]> {
  if (txs.length === 0) return Promise.resolve([])
  const ids = txs.map(({ tx_id }) => tx_id)
  return sql<MessageRow[]>`
    select ${messageColumns(sql)}
    from ${tablesOf(sql, ids).message} m
    where m.tx_id = any(${ids}::bigint[])
    order by m.id`
}

export type BlockMessageFilter = Page & { height: number; types?: number[] | undefined; excludedTypes?: number[] | undefined }

/** In the order of the block, each with its tx. */
export function listBlockMessages(sql: Reader, f: BlockMessageFilter): Promise<(MessageRow & TxRow)[]> {
  const ids = sql`
    select m.id
    from ${tableAt(sql, 'message', f.height)} m
    where m.height = ${f.height}
      ${optional`and m.type = any(${f.types}::smallint[])`}
      ${optional`and m.type <> all(${f.excludedTypes}::smallint[])`}
      ${optional`and m.id > ${f.cursor}`}
    order by m.id`
  return sql<(MessageRow & TxRow)[]>`
    with page as materialized (${cutPage(sql, ids, f)})
    select ${messageColumns(sql)}, ${txColumns(sql)}
    from page
    join ${tableAt(sql, 'message', f.height)} m on m.height = ${f.height} and m.id = page.id
    join ${tableAt(sql, 'tx', f.height)} t on t.height = m.height and t.id = m.tx_id
    order by m.id`
}

/** Messages that put blobs into a namespace, newest first, each with its tx. */
export function listNamespaceMessages(sql: Reader, f: Page & { namespace_id: number }): Promise<(MessageRow & TxRow)[]> {
  const kept = firstKeptId(sql)
  const ids = sql`
    select n.message_id as id
    from message_namespace n
    where n.namespace_id = ${f.namespace_id}
      ${optional`and n.message_id >= ${kept}::bigint`}
      ${optional`and n.message_id < ${f.cursor}`}
    order by n.message_id desc`
  return readPage(
    sql,
    cutPage(sql, ids, f),
    (page, { tx, message }) => sql<(MessageRow & TxRow)[]>`
      with ${page}
      select ${messageColumns(sql)}, ${txColumns(sql)}
      from page
      join ${message} m on m.height = page.height and m.id = page.id
      join ${tx} t on t.height = m.height and t.id = m.tx_id
      order by m.id desc`,
  )
}
