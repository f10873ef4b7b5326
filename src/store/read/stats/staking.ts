import type { Reader } from '../../db.ts'
import { type Fragment, given } from '../../sql/fragment.ts'
import { inSegments, within } from './segment.ts'
import { ceilTo, coverBefore, type Period, SOURCE, toTime } from './timeframe.ts'

export type StakingSeriesName =
  | 'rewards'
  | 'commissions'
  | 'flow'
  | 'delegations'
  | 'unbondings'
  | 'delegations_count'
  | 'unbondings_count'
  | 'cumulative_flow'

export type StakingSeriesFilter = { validatorId: number; name: StakingSeriesName; timeframe: 'hour' | 'day' | 'month' } & Period
type Point = { time: string; value: string }

/** Newest bucket first, `cumulative_flow` oldest first. */
export function listStakingSeries(sql: Reader, f: StakingSeriesFilter): Promise<Point[]> {
  switch (f.name) {
    case 'rewards':
    case 'commissions':
      return listEarnings(sql, f, f.name)
    case 'cumulative_flow':
      return listCumulativeFlow(sql, f)
    default:
      return sql<Point[]>`
        select time, (${f.name === 'flow' ? sql`delegations - unbondings` : sql(f.name)})::text as value
        from staking_bucket
        where validator_id = ${f.validatorId} and frame = ${SOURCE[f.timeframe].frame} ${within(sql, f)}
        order by time desc`
  }
}

/** A bucket is the difference of its mark to the next one, or to the present total. */
function listEarnings(sql: Reader, f: StakingSeriesFilter, name: 'rewards' | 'commissions'): Promise<Point[]> {
  const frame = SOURCE[f.timeframe].frame
  const total =
    name === 'rewards'
      ? sql`(select rewards from validator where id = ${f.validatorId})`
      : sql`(
          select v.commissions + coalesce(w.amount, 0)
          from validator v
          left join commission_withdrawn w on w.validator_id = v.id
          where v.id = ${f.validatorId}
        )`
  // One mark beyond the period closes its last bucket.
  const beyond: Fragment = given(
    f.to,
    (to) => sql`
        union all
        (
          select time, ${sql(name)} as mark
          from reward_mark
          where validator_id = ${f.validatorId} and frame = ${frame} and time >= ${toTime(to)}
          order by time
          limit 1
        )`,
  )
  return sql<Point[]>`
    select time, trim_scale(coalesce(next, ${total}) - mark) as value
    from (
      select time, mark, lead(mark) over (order by time) as next
      from (
        select time, ${sql(name)} as mark
        from reward_mark
        where validator_id = ${f.validatorId} and frame = ${frame} ${within(sql, f)}
        ${beyond}
      ) marks
    ) bucket
    where true ${within(sql, f)}
    order by time desc`
}

function listCumulativeFlow(sql: Reader, f: StakingSeriesFilter): Promise<Point[]> {
  const base =
    f.from === undefined
      ? sql`0`
      : sql`(
          select coalesce(sum(delegations - unbondings), 0)
          from staking_bucket
          where validator_id = ${f.validatorId} and (${inSegments(sql, coverBefore(ceilTo(f.timeframe, f.from)))})
        )`
  return sql<Point[]>`
    select time, (${base} + sum(delegations - unbondings) over (order by time))::text as value
    from staking_bucket
    where validator_id = ${f.validatorId} and frame = ${SOURCE[f.timeframe].frame} ${within(sql, f)}
    order by time`
}

export type StakeMonth = { time: string; value: string; percent: string }

/** The chart begins in the month in which the main network did (docs/rules.md R44). */
const FIRST_MONTH = '2023-10-01T00:00:00Z'

/**
 * Stake of every validator at the end of each month, and its share. Months before the chain's own first one repeat that month: there was
 * no other stake, and the chart has no gap at its left end. By name, oldest month first; validators of the same name are one line.
 */
export async function readStakingDistribution(
  sql: Reader,
  { now, ...period }: { now: string } & Period,
): Promise<Map<string, StakeMonth[]>> {
  const months = await sql<{ time: string; at: string | null }[]>`
    select time, greatest(time, (select min(time) from stake_month)) as at
    from generate_series(${FIRST_MONTH}::timestamptz, date_trunc('month', ${now}::timestamptz), interval '1 month') as month(time)
    where true ${within(sql, period)}`
  const wanted = [...new Set(months.map(({ at }) => at))].filter((at) => at !== null)
  const rows = await sql<({ moniker: string } & StakeMonth)[]>`
    with known as (
      select validator_id, time as first, lead(time) over (partition by validator_id order by time) as next, stake
      from stake_month
    ),
    stake as (
      select m.time, v.moniker, sum(k.stake) as value, sum(sum(k.stake)) over (partition by m.time) as total
      from unnest(${wanted}::timestamptz[]) as m(time)
      join known k on k.first <= m.time and (k.next is null or k.next > m.time)
      join validator v on v.id = k.validator_id
      group by m.time, v.moniker
    )
    select moniker, time, value::text, (case when total > 0 then value / total else 0 end)::text as percent
    from stake
    order by moniker, time`
  // A month that is repeated is not read again and again.
  const shown = new Map<string, string[]>()
  for (const { time, at } of months) if (at !== null) shown.set(at, [...(shown.get(at) ?? []), time])
  const lines = new Map<string, StakeMonth[]>()
  for (const { moniker, time: at, value, percent } of rows) {
    const line = lines.get(moniker) ?? []
    lines.set(moniker, line)
    for (const time of shown.get(at) ?? []) line.push({ time, value, percent })
  }
  return lines
}
