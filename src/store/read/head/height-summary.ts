import type { Reader } from '../../db.ts'

/** Summary of a height, as far as it can be told from its block row and the first key of other tables. */
export type HeightSummary = {
  height: number
  /** lower-case hex */
  hash: string
  time: string
  tx_count: number
  blobs_count: number
  message_types: number[]
  has_ibc_transfers: boolean
  has_hyperlane_transfers: boolean
  /** validators that were slashed, jailed or released */
  has_validators: boolean
  has_proposals: boolean
  /** prices as /v1/gas/price had them when this was the head, and the median one block before */
  gas_slow: number
  gas_median: number
  gas_fast: number
  median_before: number | null
}

/** Blocks whose prices are averaged. */
export const GAS_WINDOW = 100

/** Marks of a range of heights, in order; genesis has none. */
export function listHeightSummaries(sql: Reader, { from, to }: { from: number; to: number }): Promise<HeightSummary[]> {
  return sql<HeightSummary[]>`
    with price as materialized (
      select height, avg(gas_slow) over latest as slow, avg(gas_median) over latest as median, avg(gas_fast) over latest as fast
      from block
      where height > ${from - GAS_WINDOW - 1}::integer and height <= ${to}::integer and height > 0
      window latest as (order by height rows between ${GAS_WINDOW - 1}::integer preceding and current row)
    )
    select b.height, encode(b.hash, 'hex') as hash, b.time, b.tx_count, b.blobs_count, b.message_types,
           exists (select from ibc_transfer r where r.height = b.height) as has_ibc_transfers,
           exists (select from hl_transfer r where r.height = b.height) as has_hyperlane_transfers,
           exists (select from validator_state r where r.height = b.height)
             or exists (select from jail r where r.height = b.height) as has_validators,
           exists (select from proposal_state r where r.height = b.height) as has_proposals,
           p.slow as gas_slow, p.median as gas_median, p.fast as gas_fast, q.median as median_before
    from block b
    join price p on p.height = b.height
    left join price q on q.height = b.height - 1
    where b.height between greatest(1, ${from}::integer) and ${to}::integer
    order by b.height`
}
