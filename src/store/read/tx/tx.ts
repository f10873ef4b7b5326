import type { Reader } from '../../db.ts'
import { firstId, heightOf } from '../../pack/id.ts'
import { unpackTxs } from '../../pack/packed-txs.ts'
import { beyond, direction, type Fragment, given, optional } from '../../sql/fragment.ts'
import { type AccountRef, PRIMARY_NAME } from '../celestial.ts'
import { cutPage, mergeOrdered } from '../page.ts'
import { firstKeptId, readPage, startOfList, tableAt } from '../partition.ts'
import { readNamedTx, type TxName } from './named-tx.ts'

/**
 * A tx as lists and nested objects show it. Its columns are prefixed so that they stand beside those of a message or blob,
 * which share its height and time.
 */
export type TxRow = {
  tx_id: number
  height: number
  time: string
  /** lower-case hex, null for genesis txs */
  tx_hash: string | null
  tx_gas_wanted: number
  tx_gas_used: number
  tx_timeout_height: string
  tx_events_count: number
  tx_messages_count: number
  tx_fee: string
  tx_error: string | null
  tx_codespace: string | null
  tx_memo: string | null
  tx_message_types: number[]
  tx_success: boolean
}

export type SignedTxRow = TxRow & { signers: AccountRef[] | null }

/** Columns of a `TxRow` over `tx t`, without `height` and `time`. */
export function txColumns(sql: Reader) {
  return sql`
    t.id as tx_id, encode(t.hash, 'hex') as tx_hash, t.gas_wanted as tx_gas_wanted, t.gas_used as tx_gas_used,
    t.timeout_height as tx_timeout_height, t.events_count as tx_events_count, t.messages_count as tx_messages_count,
    t.fee as tx_fee, t.error as tx_error, t.codespace as tx_codespace, t.memo as tx_memo,
    t.message_types as tx_message_types, t.success as tx_success`
}

/** Signers of `tx t` in their order, as `signers`. */
function signerColumn(sql: Reader) {
  return sql`
    (select json_agg(json_build_array(encode(a.address, 'hex'), c.id, c.image_url) order by s.position)
     from unnest(t.signer_ids) with ordinality as s (id, position)
     join address a on a.id = s.id
     ${PRIMARY_NAME}) as signers`
}

export type TxStatus = 'success' | 'failed'

export type TxFilter = {
  limit: number
  offset: number
  sort: 'asc' | 'desc'
  cursor?: number | undefined
  height?: number | undefined
  status?: TxStatus[] | undefined
  /** stored ids of message types: a tx holds at least one of them */
  types?: number[] | undefined
  /** the same once more; both must hold */
  otherTypes?: number[] | undefined
  from?: number | undefined
  to?: number | undefined
}

/** By height and position; a cursor replaces the offset. */
export async function listTxs(sql: Reader, f: TxFilter): Promise<SignedTxRow[]> {
  if (f.height !== undefined) return txsIn(sql, f, tableAt(sql, 'tx', f.height))
  // Types are found in links, and a period may be anywhere.
  const isAnywhere = isFoundByLinks(f) || f.from !== undefined || f.to !== undefined
  const start = isAnywhere ? undefined : startOfList(sql, f)
  const found = start && (await txsIn(sql, f, start.tx))
  if (found?.length === f.limit) return found
  return readPage(sql, pageOfTxs(sql, f), (page, { tx }) => joinTxs(sql, f, page, tx))
}

/** The page as far as it is in `table`, a part of all txs. */
function txsIn(sql: Reader, f: TxFilter, table: Fragment): Promise<SignedTxRow[]> {
  return joinTxs(sql, f, sql`page as materialized (${pageOfTxs(sql, f, table)})`, table)
}

function joinTxs(sql: Reader, f: TxFilter, page: Fragment, table: Fragment): Promise<SignedTxRow[]> {
  return sql<SignedTxRow[]>`
    with ${page}
    select t.height, t.time, ${txColumns(sql)}, ${signerColumn(sql)}
    from page
    join ${table} t on t.height = page.height and t.id = page.id
    order by t.id ${direction(f.sort)}`
}

export function pageOfTxs(sql: Reader, f: TxFilter, table: Fragment = sql`tx`): Fragment {
  return cutPage(sql, orderedTxs(sql, f, table), f)
}

/** Heights and ids in order: only keys and links are read for the rows that a page skips. */
function orderedTxs(sql: Reader, f: TxFilter, table: Fragment): Fragment {
  const dir = direction(f.sort)
  const isSuccess = f.status?.includes('success') && !f.status.includes('failed')
  const status = isFailedOnly(f) ? sql`and not t.success` : isSuccess ? sql`and t.success` : sql``
  const ofTypes = (types: number[] | undefined) => optional`and t.message_types && ${types}::smallint[]`

  if (!isFoundByLinks(f))
    return sql`
      select t.height, t.id
      from ${table} t
      where true ${status} ${ofTypes(f.types)} ${ofTypes(f.otherTypes)} ${withinHeights(sql, f)}
      order by t.height ${dir}, t.id ${dir}`

  const types = f.types ?? []
  const filters = sql`${withinIds(sql, f, sql`m.tx_id`)} ${isSuccess ? hasStatus(sql, sql`m.tx_id`, true) : sql``}`
  const ofType = (type: number) =>
    sql`select m.tx_id from tx_message_type m where m.type = ${type} ${filters} order by m.tx_id ${dir}`
  // A type that is on both sides is enough for both; one of the first side alone needs company, which few txs have.
  const alone = f.otherTypes === undefined ? [] : types.filter((type) => !f.otherTypes!.includes(type))
  const parts = types.filter((type) => !alone.includes(type)).map(ofType)
  if (alone.length > 0)
    parts.push(sql`
      select t.id as tx_id
      from tx t
      where cardinality(t.message_types) > 1 ${ofTypes(alone)} ${ofTypes(f.otherTypes)} ${status} ${withinIds(sql, f, sql`t.id`)}
      order by t.id ${dir}`)
  const found = mergeTxs(sql, parts, f.sort)
  return sql`select (m.tx_id >> 24)::integer as height, m.tx_id as id from (${found}) m order by m.tx_id ${dir}`
}

const isFailedOnly = ({ status }: TxFilter) => status?.includes('failed') && !status.includes('success')

/** One block is small, and failed txs have an index of their own: these are filtered row by row, all others of some types by links. */
const isFoundByLinks = (f: TxFilter) => f.types !== undefined && f.height === undefined && !isFailedOnly(f)

/**
 * Txs of any of the lists `parts`, which give a `tx_id` each in this order. One that is in several comes several times in a row;
 * `distinct` would collect all of them before it gives the first.
 */
export function mergeTxs(sql: Reader, parts: Fragment[], sort: 'asc' | 'desc'): Fragment {
  const [first, ...others] = parts
  if (first === undefined) return sql`select null::bigint as tx_id where false`
  if (others.length === 0) return first
  return sql`
    select m.tx_id
    from (
      select m.tx_id, lag(m.tx_id) over (order by m.tx_id ${direction(sort)}) as before
      from (${mergeOrdered(sql, [first, ...others])}) m
    ) m
    where m.tx_id is distinct from m.before
    order by m.tx_id ${direction(sort)}`
}

/** Of a tx that is known by its id alone. Failed ones are few and have an index by id, which is read side by side with a list of ids. */
export function hasStatus(sql: Reader, id: Fragment, success: boolean): Fragment {
  const inPartition = sql.context.partitions.layout ? sql`and f.height = (${id} >> 24)::integer` : sql``
  return sql`and ${success ? sql`not` : sql``} exists (select from tx f where f.id = ${id} ${inPartition} and not f.success)`
}

/** Bounds of `(t.height, t.id)`, the key of the table. */
function withinHeights(sql: Reader, f: TxFilter) {
  return sql`
    ${optional`and t.height = ${f.height}`}
    ${given(f.cursor, (cursor) => sql`and (t.height, t.id) ${beyond(f.sort)} (${heightOf(cursor)}::integer, ${cursor}::bigint)`)}
    ${given(f.from, (from) => sql`and t.height >= ${firstHeightAt(sql, from)}`)}
    ${given(f.to, (to) => sql`and t.height < ${firstHeightAt(sql, to)}`)}`
}

/** Bounds of an id column in a link table. */
export function withinIds(
  sql: Reader,
  f: { sort: 'asc' | 'desc'; cursor?: number | undefined; from?: number | undefined; to?: number | undefined },
  id: Fragment,
) {
  const kept = firstKeptId(sql)
  return sql`
    ${optional`and ${id} >= ${kept}::bigint`}
    ${optional`and ${id} ${beyond(f.sort)} ${f.cursor}`}
    ${given(f.from, (from) => sql`and ${id} >= (${firstHeightAt(sql, from)})::bigint << 24`)}
    ${given(f.to, (to) => sql`and ${id} < (${firstHeightAt(sql, to)})::bigint << 24`)}`
}

/** First height at or after a time in unix seconds; beyond every height when there is none. */
export function firstHeightAt(sql: Reader, seconds: number) {
  return sql`
    coalesce((select b.height from block b where b.time >= to_timestamp(${seconds}) order by b.time, b.height limit 1), 2147483647)`
}

/** A hash may occur at two heights; the first one is shown. */
export function findTx(sql: Reader, name: TxName): Promise<SignedTxRow | undefined> {
  return readNamedTx(
    sql,
    name,
    (table, isNamed) => sql<SignedTxRow[]>`
      select t.height, t.time, ${txColumns(sql)}, ${signerColumn(sql)}
      from ${table} t
      where ${isNamed}
      order by t.id
      limit 1`,
  )
}

/** Genesis txs have no hash; they all stand in the pseudo-block before the chain's first one. */
export function listGenesisTxs(sql: Reader, f: Pick<TxFilter, 'limit' | 'offset' | 'sort' | 'cursor'>): Promise<TxRow[]> {
  return sql<TxRow[]>`
    select t.height, t.time, ${txColumns(sql)}
    from tx t
    where t.height = (select min(height) from block) and t.hash is null
      ${optional`and t.id ${beyond(f.sort)} ${f.cursor}`}
    order by t.id ${direction(f.sort)}
    limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}`
}

/** Position of a tx, which lists of a tx look up first. */
export type TxKey = { height: number; id: number; time: string; success: boolean; blobs_count: number }

export function findTxKey(sql: Reader, name: TxName): Promise<TxKey | undefined> {
  return readNamedTx(
    sql,
    name,
    (table, isNamed) => sql<TxKey[]>`
      select t.height, t.id, t.time, t.success, t.blobs_count
      from ${table} t
      where ${isNamed}
      order by t.id
      limit 1`,
  )
}

/** The txs of an indexed block, from its row or its segment; undefined when they are not kept, or cannot be read: a node may have them. */
export async function findKeptTxs(
  sql: Reader,
  { height, hash }: { height: number; hash: string },
): Promise<Uint8Array[] | undefined> {
  if (!sql.context.segments) return undefined
  const [row] = await sql<{ txs: Buffer | null }[]>`
    select t.txs from block b left join block_txs t using (height) where b.height = ${height} and b.hash = ${Buffer.from(hash, 'hex')}`
  if (!row) return undefined
  const packed = row.txs ?? (await sql.context.segments.read(sql, 'txs', height, 0).catch(() => undefined))
  return packed && unpackTxs(packed)
}

/** A tx of one height and the address (hex) or namespace (hex with its version) that one of its messages is linked to. */
export type TxLinkRow = { tx_id: number; owner: string }

/** Txs of a height with a message that names one of `addresses` (hex of their bytes). */
export function listTxsOfAddresses(sql: Reader, height: number, addresses: string[]): Promise<TxLinkRow[]> {
  return sql<TxLinkRow[]>`
    select distinct m.tx_id, w.owner
    from unnest(${addresses}::text[]) as w (owner)
    join address a on a.address = decode(w.owner, 'hex')
    join message_address l on l.address_id = a.id and l.message_id >= ${firstId(height)} and l.message_id < ${firstId(height + 1)}
    join ${tableAt(sql, 'message', height)} m on m.height = ${height} and m.id = l.message_id`
}

/** Txs of a height with a message in one of `namespaces` (hex of version and id). */
export function listTxsOfNamespaces(sql: Reader, height: number, namespaces: string[]): Promise<TxLinkRow[]> {
  return sql<TxLinkRow[]>`
    select distinct m.tx_id, w.owner
    from unnest(${namespaces}::text[]) as w (owner)
    join namespace n on n.namespace_id = decode(substr(w.owner, 3), 'hex') and n.version = get_byte(decode(w.owner, 'hex'), 0)
    join message_namespace l on l.namespace_id = n.id and l.message_id >= ${firstId(height)} and l.message_id < ${firstId(height + 1)}
    join ${tableAt(sql, 'message', height)} m on m.height = ${height} and m.id = l.message_id`
}
