import type { Reader } from '../../db.ts'
import type { Fragment } from '../../sql/fragment.ts'
import { within } from './segment.ts'
import { type Period, SOURCE } from './timeframe.ts'

export type TransferSeriesFilter = { name: 'count' | 'amount'; timeframe: 'hour' | 'day' | 'month' } & Period
type Point = { time: string; value: string }

/** Transfers over a channel in both directions, newest bucket first. */
export function listIbcSeries(sql: Reader, { channelId, ...f }: { channelId: string } & TransferSeriesFilter): Promise<Point[]> {
  return sql<Point[]>`
    select time, (${measure(sql, f.name)})::text as value
    from ibc_bucket
    where channel_id = ${channelId} and frame = ${SOURCE[f.timeframe].frame} ${within(sql, f)}
    order by time desc`
}

/** Transfers from and to a domain, newest bucket first. */
export function listHyperlaneSeries(sql: Reader, { domain, ...f }: { domain: number } & TransferSeriesFilter): Promise<Point[]> {
  return sql<Point[]>`
    select time, (${measure(sql, f.name)})::text as value
    from hl_bucket
    where domain = ${String(domain)} and frame = ${SOURCE[f.timeframe].frame} ${within(sql, f)}
    order by time desc`
}

/** Totals over all domains. */
export function listHyperlaneTotals(sql: Reader, f: TransferSeriesFilter): Promise<Point[]> {
  return sql<Point[]>`
    select time, sum(${measure(sql, f.name)})::text as value
    from hl_bucket
    where frame = ${SOURCE[f.timeframe].frame} ${within(sql, f)}
    group by time
    order by time desc`
}

function measure(sql: Reader, name: 'count' | 'amount'): Fragment {
  return name === 'count' ? sql`sent_count + received_count` : sql`sent + received`
}

export type IbcChainRow = { chain: string; sent: string; received: string; flow: string }

/** Counterparty chains by what moved, largest first; channels are few. A channel of the chain with itself has no client: no name. */
export function listIbcChains(sql: Reader, { limit, offset }: { limit: number; offset: number }): Promise<IbcChainRow[]> {
  return sql<IbcChainRow[]>`
    select coalesce(c.chain_id, '') as chain, sum(h.sent) as sent, sum(h.received) as received, sum(h.sent + h.received) as flow
    from ibc_channel h
    left join ibc_client c on c.client_id = h.client_id
    group by 1
    order by flow desc, chain
    limit ${limit} offset ${offset}`
}

/** Id of the largest transfer of utia in the last 24 hours. Heights are found by time, then only their transfers are read. */
export async function findLargestIbcTransfer(sql: Reader, now: string): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`
    select id
    from ibc_transfer
    where height >= (select height from block where time > ${now}::timestamptz - interval '1 day' order by time limit 1)
      and denom = 'utia'
    order by amount desc, id desc
    limit 1`
  return row?.id
}

export type BusiestChannelRow = { channel_id: string; transfers_count: number; chain_id: string }

/** The channel with most transfers in the last month. */
export async function findBusiestChannel(sql: Reader, now: string): Promise<BusiestChannelRow | undefined> {
  const [row] = await sql<BusiestChannelRow[]>`
    select b.channel_id, b.transfers_count, coalesce(c.chain_id, '') as chain_id
    from (
      select channel_id, sum(sent_count + received_count)::bigint as transfers_count
      from ibc_bucket
      where frame = 2 and time >= ${now}::timestamptz - interval '1 month'
      group by channel_id
      order by transfers_count desc, channel_id
      limit 1
    ) b
    left join ibc_channel h on h.channel_id = b.channel_id
    left join ibc_client c on c.client_id = h.client_id
    limit 1`
  return row
}

export type HyperlaneDomainRow = { domain_id: number; amount: string; transfers_count: number }

/** Domains by amount, largest first: their months added up. */
export function listHyperlaneDomains(
  sql: Reader,
  { limit, offset }: { limit: number; offset: number },
): Promise<HyperlaneDomainRow[]> {
  return sql<HyperlaneDomainRow[]>`
    select domain::bigint as domain_id, sum(sent + received) as amount, sum(sent_count + received_count)::bigint as transfers_count
    from hl_bucket
    where frame = 3
    group by domain
    order by amount desc, domain_id
    limit ${limit} offset ${offset}`
}
