import type { Reader } from '../db.ts'
import type { OfAddress } from './address/staking.ts'
import { type OwnedRow, ownedRows } from './owner.ts'
import { hashTable } from './tx/tx-id.ts'

export type VestingRow = {
  id: number
  height: number
  time: string
  start_time: string | null
  end_time: string | null
  type: 'delayed' | 'periodic' | 'permanent' | 'continuous'
  amount: string
  tx_hash: string | null
}

/** Without `show_ended` only what ends at or after `now`, the time of the head; so permanent locks, which have no end, are left out (docs/rules.md R32). */
export async function listVestings(
  sql: Reader,
  f: OfAddress & { show_ended: boolean; now: string },
): Promise<VestingRow[] | undefined> {
  const rows = await sql<OwnedRow<VestingRow>[]>`
    select page.*
    from address owner
    left join lateral (
      select true as owned, v.id, v.height, v.time, v.start_time, v.end_time, v.type, v.amount, encode(t.hash, 'hex') as tx_hash
      from vesting_account v
      left join ${hashTable(sql)} t on t.height = v.height and t.id = v.tx_id
      where v.address_id = owner.id
        ${f.show_ended ? sql`` : sql`and v.end_time >= ${f.now}::timestamptz`}
      order by v.end_time desc, v.id desc
      limit ${f.limit} offset ${f.offset}
    ) page on true
    where owner.address = ${f.address}
    order by page.end_time desc, page.id desc`
  return ownedRows(rows)
}

export type VestingPeriodRow = { time: string; amount: string }

/** Periods of a periodic vesting, the last one first. */
export function listVestingPeriods(sql: Reader, f: { id: number; limit: number; offset: number }): Promise<VestingPeriodRow[]> {
  return sql<VestingPeriodRow[]>`
    select p.time, p.amount
    from vesting_period p
    where p.vesting_id = ${f.id}::bigint
    order by p.position desc
    limit ${f.limit} offset ${f.offset}`
}
