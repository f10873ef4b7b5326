import type { Reader } from '../../db.ts'
import { startOf, wholeBuckets } from './block-series.ts'
import { within } from './segment.ts'
import { type Period, SOURCE, type Timeframe, toTime } from './timeframe.ts'

export type NamespaceSeriesFilter = {
  /** 28 bytes; the first version found counts */
  namespaceId: Uint8Array
  name: 'pfb_count' | 'size'
  timeframe: Timeframe
} & Period

/** Newest bucket first; empty for an unknown namespace. */
export function listNamespaceSeries(
  sql: Reader,
  { namespaceId, name, timeframe, ...period }: NamespaceSeriesFilter,
): Promise<{ time: string; value: string }[]> {
  const { frame, per } = SOURCE[timeframe]
  const owner = sql`(select id from namespace where namespace_id = ${namespaceId} order by id limit 1)`
  return sql<{ time: string; value: string }[]>`
    select ${per ? startOf(sql, per) : sql`time`} as time, ${per ? sql`sum(${sql(name)})` : sql(name)}::text as value
    from namespace_bucket
    where namespace_id = ${owner} and frame = ${frame} ${within(sql, wholeBuckets(timeframe, period))}
    ${per ? sql`group by 1` : sql``}
    order by 1 desc`
}

export type NamespaceUsageRow = { version: number; namespace_id: Uint8Array; size: number }

/** The largest namespaces. What the others hold is the chain's total less these: no need to add up all of them. */
export function listLargestNamespaces(sql: Reader, top: number): Promise<NamespaceUsageRow[]> {
  return sql<NamespaceUsageRow[]>`
    select version, namespace_id, size
    from namespace
    order by size desc, id desc
    limit ${top}`
}

export type NamespaceShareRow = { time: string; version: number | null; namespace_id: string | null; size: number; total: number }

/** Namespaces that may be among the largest of a period: those that are the largest of all time. */
const CANDIDATES = 1000

/** Bytes of the largest namespaces in each bucket, largest first, and of all others together, which have no name. Newest bucket first. */
export function listNamespaceShares(
  sql: Reader,
  { timeframe, top, from, to }: { timeframe: 'hour' | 'day' | 'month'; top: number; from: number; to: number },
): Promise<NamespaceShareRow[]> {
  const { frame } = SOURCE[timeframe]
  return sql<NamespaceShareRow[]>`
    with total as materialized (
      select time, blobs_size as size from block_bucket
      where frame = ${frame} and blobs_size > 0 and time >= ${toTime(from)} and time < ${toTime(to)}
    ), ranked as (
      select b.time, n.version, n.namespace_id, b.size, row_number() over (partition by b.time order by b.size desc, n.id) as place
      from (select id, version, namespace_id from namespace order by size desc, id desc limit ${CANDIDATES}) n
      join namespace_bucket b on b.namespace_id = n.id and b.frame = ${frame} and b.time >= ${toTime(from)} and b.time < ${toTime(to)}
      where b.size > 0
    ), shown as materialized (select * from ranked where place <= ${top})
    select time, version, namespace_id, size, total
    from (
      select s.time, s.version, encode(s.namespace_id, 'hex') as namespace_id, s.size, t.size as total, s.place
      from shown s
      join total t using (time)
      union all
      select t.time, null, null, t.size - coalesce(s.size, 0)::bigint, t.size, null
      from total t
      left join (select time, sum(size) as size from shown group by time) s using (time)
      where t.size > coalesce(s.size, 0)
    ) share
    order by time desc, place nulls last`
}

export type AddressSeriesFilter = {
  addressId: number
  name: 'gas_used' | 'gas_wanted' | 'fee' | 'tx_count'
  timeframe: 'hour' | 'day' | 'month'
} & Period

/** Txs that the account signed, newest bucket first. */
export function listAddressSeries(
  sql: Reader,
  { addressId, name, timeframe, ...period }: AddressSeriesFilter,
): Promise<{ time: string; value: string }[]> {
  return sql<{ time: string; value: string }[]>`
    select time, ${sql(name)}::text as value
    from address_bucket
    where address_id = ${addressId} and frame = ${SOURCE[timeframe].frame} ${within(sql, period)}
    order by time desc`
}
