import type { Reader } from '../../db.ts'

export type GasPriceRow = { slow: string; median: string; fast: string }

/** Blocks over which gas prices are averaged, and the price below which nodes take no tx (chain-facts §9). */
const WINDOW = 100
const FLOOR = 0.004

/**
 * Mean of the blocks' own prices (kept exactly, per block) over the last hundred blocks, the empty ones counted as 0.
 * `0` before the first block.
 */
export async function readGasPrice(sql: Reader, head: number | undefined): Promise<GasPriceRow> {
  if (head === undefined) return { slow: '0', median: '0', fast: '0' }
  const [row] = await sql<{ slow: number | null; median: number | null; fast: number | null }[]>`
    select avg(gas_slow) as slow, avg(gas_median) as median, avg(gas_fast) as fast
    from block
    where height > ${Math.max(0, head - WINDOW)} and height <= ${head}`
  const price = (mean: number | null | undefined) =>
    mean === null || mean === undefined ? '0' : Math.max(mean, FLOOR).toFixed(6)
  return { slow: price(row?.slow), median: price(row?.median), fast: price(row?.fast) }
}

export type GasConstants = { txSizeCostPerByte: number; gasPerBlobByte: number }

/** Undefined while a constant is not known. */
export async function findGasConstants(sql: Reader): Promise<GasConstants | undefined> {
  const rows = await sql<{ module: string; value: string }[]>`
    select module, value
    from constant
    where (module = 'auth' and name = 'tx_size_cost_per_byte') or (module = 'blob' and name = 'gas_per_blob_byte')`
  const constant = (module: string) => rows.find((row) => row.module === module)?.value
  const [txSize, blobByte] = [constant('auth'), constant('blob')]
  return txSize === undefined || blobByte === undefined
    ? undefined
    : { txSizeCostPerByte: Number(txSize), gasPerBlobByte: Number(blobByte) }
}
