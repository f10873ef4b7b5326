import type { Reader } from '../db.ts'

export type GasPriceRow = { slow: number; median: number; fast: number }

/** Average of the last `blocks` blocks; undefined before any block. Blocks without txs count as 0, genesis does not count. */
export async function averageGasPrices(sql: Reader, f: { head: number; blocks: number }): Promise<GasPriceRow | undefined> {
  const [row] = await sql<{ slow: number | null; median: number; fast: number }[]>`
    select avg(gas_slow) as slow, avg(gas_median) as median, avg(gas_fast) as fast
    from block
    where height > ${f.head - f.blocks} and height <= ${f.head} and hash <> ''`
  return row && row.slow !== null ? { ...row, slow: row.slow } : undefined
}

export type GasPricePoint = { height: number; time: string; low: number; median: number; high: number; txs: number }

/**
 * Gas prices of the last `blocks` blocks, in equal runs of blocks, oldest first; a run is named by the last of its blocks that
 * has such a tx.
 */
export function listGasPrices(sql: Reader, f: { head: number; blocks: number; points: number }): Promise<GasPricePoint[]> {
  const run = Math.ceil(f.blocks / f.points)
  return sql<GasPricePoint[]>`
    select max(height) as height, max(time) as time, count(*)::int as txs,
           percentile_cont(0.1) within group (order by price) as low,
           percentile_cont(0.5) within group (order by price) as median,
           percentile_cont(0.9) within group (order by price) as high
    from (
      select height, time, (fee / gas_wanted)::float8 as price
      from tx
      where height > ${Math.max(0, f.head - f.blocks)} and height <= ${f.head} and fee > 0 and gas_wanted > 0
    ) paid
    group by (${f.head}::int - height) / ${run}::int
    order by 1`
}
