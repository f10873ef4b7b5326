import type { Reader } from '../../db.ts'
import { startOf, wholeBuckets } from './block-series.ts'
import { within } from './segment.ts'
import { type Period, SOURCE, type Timeframe } from './timeframe.ts'

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
