import type { Reader } from '../../db.ts'
import { direction } from '../../sql/fragment.ts'
import { type RollupCategory, type RollupRow, type RollupType, rollupColumns } from '../rollup/list.ts'
import { rollupParts, sinceDay } from './last-day.ts'

export type RollupDayRow = RollupRow & {
  avg_size: number
  blobs_count: number
  total_size: number
  total_fee: string
  throughput: number
  namespace_count: number
  pfb_count: number
  mb_price: string
  fee_per_pfb: string
  blobs_per_pfb: number
}

export type RollupDayFilter = {
  now: string
  limit: number
  offset: number
  sort: 'asc' | 'desc'
  sort_by: 'avg_size' | 'blobs_count' | 'total_size' | 'total_fee' | 'throughput' | 'namespace_count' | 'pfb_count' | 'mb_price'
  stack?: string[] | undefined
  provider?: string[] | undefined
  category?: RollupCategory[] | undefined
  tags?: string[] | undefined
  type?: RollupType[] | undefined
}

/** The board of the last 24 hours: verified rollups that posted blobs. */
export function listRollupDay(sql: Reader, f: RollupDayFilter): Promise<RollupDayRow[]> {
  return sql<RollupDayRow[]>`
    with day as (
      select rollup_id, sum(blobs_count)::bigint as blobs_count, sum(size)::bigint as total_size, sum(fee) as total_fee,
             sum(pfb_count)::bigint as pfb_count
      from (${rollupParts(sql, f.now)}) part
      group by rollup_id
    ),
    board as (
      select day.*,
             total_size / blobs_count as avg_size,
             ceil(total_size / 86400.0)::bigint as throughput,
             case when total_size > 0 then ceil(total_fee * 1048576 / total_size) else 0 end as mb_price,
             (select count(*) from rollup_namespace n where n.rollup_id = day.rollup_id and n.last_time > ${sinceDay(sql, f.now)}) as namespace_count
      from day
    )
    select ${rollupColumns(sql)}, b.avg_size, b.blobs_count, b.total_size, trim_scale(b.total_fee) as total_fee, b.throughput,
           b.namespace_count, b.pfb_count, b.mb_price,
           case when b.pfb_count > 0 then trim_scale(round(b.total_fee / b.pfb_count, 16)) else 0 end as fee_per_pfb,
           case when b.pfb_count > 0 then b.blobs_count / b.pfb_count else 0 end as blobs_per_pfb
    from board b
    join rollup r on r.id = b.rollup_id and r.verified
    where true
      ${f.tags ? sql`and r.tags && ${f.tags}::text[]` : sql``}
      ${f.stack ? sql`and r.stack = any(${f.stack}::text[])` : sql``}
      ${f.provider ? sql`and r.provider = any(${f.provider}::text[])` : sql``}
      ${f.category ? sql`and r.category = any(${f.category}::text[])` : sql``}
      ${f.type ? sql`and r.type = any(${f.type}::text[])` : sql``}
    order by b.${sql(f.sort_by)} ${direction(f.sort)}, r.id ${direction(f.sort)}
    limit ${f.limit} offset ${f.offset}`
}
