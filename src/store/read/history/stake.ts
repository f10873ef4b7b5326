import type { Reader } from '../../db.ts'
import { direction } from '../../sql/fragment.ts'
import { toTime } from '../stats/timeframe.ts'
import { type Borders, idsAt, type Point } from './series.ts'

export type StakeChangeRow = { id: number; height: number; time: string; amount: string; stake: string }

/** How the stake of a validator changed, block by block. */
export function listStakeChanges(
  sql: Reader,
  f: { validatorId: number; limit: number; offset: number; cursor?: number | undefined; sort: 'asc' | 'desc' },
): Promise<StakeChangeRow[]> {
  return sql<StakeChangeRow[]>`
    with page as materialized (
      select id, amount, stake
      from stake_change
      where validator_id = ${f.validatorId}
        ${f.cursor === undefined ? sql`` : f.sort === 'asc' ? sql`and id > ${f.cursor}` : sql`and id < ${f.cursor}`}
      order by id ${direction(f.sort)}
      limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}
    )
    select page.id, b.height, b.time, page.amount::text, page.stake::text
    from page
    join block b on b.height = (page.id >> 24)::integer
    order by page.id ${direction(f.sort)}`
}

/** The stake of a validator at the end of each bucket, newest first; nothing before its first change. */
export async function listStakeSeries(sql: Reader, validatorId: number, borders: Borders): Promise<Point[]> {
  const ends = (await idsAt(sql, borders)).slice(1)
  const rows = await sql<{ n: number; stake: string }[]>`
    select e.n, c.stake::text
    from unnest(${ends}::bigint[]) with ordinality as e (id, n)
    cross join lateral (
      select stake from stake_change where validator_id = ${validatorId} and id < e.id order by id desc limit 1
    ) c
    order by e.n desc`
  return rows.map(({ n, stake }) => ({ time: toTime(borders[n - 1]!), value: stake }))
}

/** When the stake of a validator first changed. */
export async function findFirstStake(sql: Reader, validatorId: number): Promise<string | undefined> {
  const [row] = await sql<{ time: string }[]>`
    select b.time
    from (select id from stake_change where validator_id = ${validatorId} order by id limit 1) c
    join block b on b.height = (c.id >> 24)::integer`
  return row?.time
}
