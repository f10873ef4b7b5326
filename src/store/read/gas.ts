import type { Reader } from '../db.ts'

export type GasPriceRow = { slow: number; median: number; fast: number }

/** Average of the last `blocks` blocks; undefined before any block. Blocks without txs count as 0, genesis does not count. */
export async function averageGasPrices(sql: Reader, f: { head: number; blocks: number }): Promise<GasPriceRow | undefined> {
  const [row] = await sql<{ slow: number | null; median: number; fast: number }[]>`
    select avg(gas_slow) as slow, avg(gas_median) as median, avg(gas_fast) as fast
    from block
    where height > ${f.head - f.blocks} and hash <> ''`
  return row && row.slow !== null ? { ...row, slow: row.slow } : undefined
}
