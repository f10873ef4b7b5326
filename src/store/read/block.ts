import { HEADER_HASHES, type HeaderHashes } from '../../client/proof/header-hashes.ts'
import type { Reader } from '../db.ts'
import { readSealed, unsealedBytes } from '../segments/sealed.ts'
import { direction, Fragment } from '../sql/fragment.ts'
import { cutPage } from './page.ts'
import { readNamedTx, type TxName } from './tx/named-tx.ts'
import type { ValidatorRef } from './validator.ts'

/** Hashes in lower-case hex, empty when there is none. */
export type BlockRow = {
  height: number
  time: string
  version_block: number
  version_app: number
  hash: string
  parent_hash: string
  message_types: number[]
} & HeaderHashes

export type BlockStatsRow = {
  tx_count: number
  events_count: number
  blobs_size: number
  blobs_count: number
  fee: string
  supply_change: string
  inflation_rate: string
  rewards: string
  commissions: string
  block_time: number
  gas_limit: number
  gas_used: number
  bytes_in_block: number
  square_size: number
}

export type FullBlockRow = BlockRow & BlockStatsRow & { proposer: ValidatorRef | null }

/** Hashes of `block b` as lower-case hex. */
export const HASH_COLUMNS = new Fragment(
  [['hash', 'parent_hash', ...HEADER_HASHES].map((name) => `encode(b.${name}, 'hex') as ${name}`).join(', ')],
  [],
)

/** Columns of a `BlockRow` over `block b`. */
export function blockColumns(sql: Reader): Fragment {
  return sql`
    b.height, b.time, b.version_block, b.version_app, ${HASH_COLUMNS}, b.message_types`
}

/** Columns of a `BlockStatsRow` over `block b`. */
export function blockStatsColumns(sql: Reader): Fragment {
  return sql`
    b.tx_count, b.events_count, b.blobs_size, b.blobs_count, b.fee, b.supply_change, trim_scale(b.inflation_rate) as inflation_rate,
    trim_scale(b.rewards) as rewards, trim_scale(b.commissions) as commissions, b.block_time, b.gas_limit, b.gas_used,
    b.bytes_in_block, b.square_size`
}

/** `json_build_array` of `validator v` as a `ValidatorRef`, null without one. */
function proposerColumn(sql: Reader): Fragment {
  return sql`case when v.id is not null then json_build_array(v.id, encode(v.cons_address, 'hex'), v.moniker) end as proposer`
}

export type BlockFilter = { limit: number; offset: number; sort: 'asc' | 'desc'; stats: boolean; cursor?: number | undefined }

export type BlockListRow = BlockRow & Partial<BlockStatsRow> & { proposer?: ValidatorRef | null }

/** By height, which the rows have without gaps: an offset is a height, and nothing is skipped row by row. */
export function listBlocks(sql: Reader, f: BlockFilter & { head: number }): Promise<BlockListRow[]> {
  const blocks = sql`select * from block where height ${firstBlock(sql, f)} order by height ${direction(f.sort)}`
  return sql<BlockListRow[]>`
    select ${blockColumns(sql)} ${f.stats ? sql`, ${blockStatsColumns(sql)}, ${proposerColumn(sql)}` : sql``}
    from (${cutPage(sql, blocks, { limit: f.limit, offset: 0 })}) b
    ${f.stats ? sql`left join validator v on v.id = b.proposer_id` : sql``}
    order by b.height ${direction(f.sort)}`
}

/** The id of a block is its height + 1, so a cursor names the next height itself. */
function firstBlock(sql: Reader, { sort, cursor, offset, head }: BlockFilter & { head: number }): Fragment {
  if (sort === 'desc') return sql`<= ${cursor === undefined ? head - offset : cursor - 2}::bigint`
  return cursor === undefined ? sql`>= (select min(height) from block) + ${offset}::bigint` : sql`>= ${cursor}::bigint`
}

export async function findBlock(sql: Reader, height: number): Promise<FullBlockRow | undefined> {
  const [row] = await sql<FullBlockRow[]>`
    select ${blockColumns(sql)}, ${blockStatsColumns(sql)}, ${proposerColumn(sql)}
    from block b
    left join validator v on v.id = b.proposer_id
    where b.height = ${height}`
  return row
}

export async function findBlockStats(sql: Reader, height: number): Promise<BlockStatsRow | undefined> {
  const [row] = await sql<BlockStatsRow[]>`select ${blockStatsColumns(sql)} from block b where b.height = ${height}`
  return row
}

export async function countBlockBlobs(sql: Reader, height: number): Promise<number | undefined> {
  const [row] = await sql<{ blobs_count: number }[]>`select blobs_count from block where height = ${height}`
  return row?.blobs_count
}

export type BlockEventsRow = { time: string; tx_events_count: number; events: Buffer }

type Unsealed<Row> = Omit<Row, 'events'> & { events: Buffer | null }

/** The packed events of a block's begin and end. */
export async function findBlockEvents(sql: Reader, height: number): Promise<BlockEventsRow | undefined> {
  const [row] = await sql<Unsealed<BlockEventsRow>[]>`
    select b.time, b.tx_events_count, ${unsealedBytes(sql, 'block')} as events
    from block b
    where b.height = ${height}`
  return row && { ...row, events: row.events ?? (await readSealed(sql, 'block', height, 0)) }
}

export type TxEventsRow = { height: number; id: number; time: string; events_before: number; events: Buffer }

/** The packed events of a tx, and how many events of its block stand before them. */
export async function findTxEvents(sql: Reader, name: TxName): Promise<TxEventsRow | undefined> {
  const row = await readNamedTx(
    sql,
    name,
    (table, isNamed) => sql<Unsealed<TxEventsRow>[]>`
      select t.height, t.id, t.time,
             ${unsealedBytes(sql, 'tx')} as events,
             (select coalesce(sum(p.events_count), 0)::integer from ${table} p where p.height = t.height and p.id < t.id) as events_before
      from ${table} t
      where ${isNamed}
      order by t.id
      limit 1`,
  )
  return row && { ...row, events: row.events ?? (await readSealed(sql, 'tx', row.height, row.id)) }
}

export type OdsRow = { square_size: number; ods: Buffer; version_app: number }

/** The map of the block's original square. */
export async function findOds(sql: Reader, height: number): Promise<OdsRow | undefined> {
  const [row] = await sql<OdsRow[]>`select square_size, ods, version_app from block where height = ${height}`
  return row
}

/** Data hashes that more blocks have than this are not collected: blocks without transactions, millions of them on an idle chain. */
const MAX_SAME_DATA = 1000

/** The first block with this hash or data hash. */
export function findBlocksByHash(sql: Reader, hash: Uint8Array): Promise<BlockRow[]> {
  // The plan for a rare hash would read all blocks of a common one. That one is met early in the order of heights, for which the
  // index on data hashes has to be kept out of it.
  const firstOfMany = sql`select height from block where data_hash || '' = ${hash} order by height limit 1`
  return sql<BlockRow[]>`
    select ${blockColumns(sql)}
    from block b
    where b.height = (
      select case when count(*) < ${MAX_SAME_DATA}::integer then min(height) else (${firstOfMany}) end
      from (
        select height from block where hash = ${hash}
        union all
        (select height from block where data_hash = ${hash} limit ${MAX_SAME_DATA}::integer)
      ) found)`
}
