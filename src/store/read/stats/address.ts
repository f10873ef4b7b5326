import type { Reader } from '../../db.ts'
import { within } from './segment.ts'
import { type Period, SOURCE } from './timeframe.ts'

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
