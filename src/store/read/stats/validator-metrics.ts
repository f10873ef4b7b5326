import type { Reader } from '../../db.ts'
import { addSigners } from '../signers.ts'

export type ValidatorMetricsRow = {
  id: number
  moniker: string
  max_rate: string
  max_change_rate: string
  stake: string
  creation_time: string
  self_delegation_amount: string
  applied_proposals_count: number
  votes_count: number
  votes_metric: string
  commission_metric: string
  operation_time_metric: string
  self_delegation_metric: string
  block_missed_count: number
  block_missed_metric: string
}

/** Heights over which signatures are counted. */
const WINDOW = 1000

export async function findValidatorMetrics(
  sql: Reader,
  f: { id: number; now: string; head: number },
): Promise<ValidatorMetricsRow | undefined> {
  const [rows, signed] = await Promise.all([
    sql<Omit<ValidatorMetricsRow, 'block_missed_count' | 'block_missed_metric'>[]>`${scores(sql, f.now)} where v.id = ${f.id}`,
    countSignatures(sql, f.head),
  ])
  const [row] = rows
  return row && withSignatures(row, signed.get(row.id) ?? 0)
}

export type TopMetricsRow = {
  votes_metric: string
  commission_metric: string
  operation_time_metric: string
  self_delegation_metric: string
  block_missed_metric: string
}

/** Mean scores of the validators with most stake. */
export async function readTopMetrics(sql: Reader, f: { count: number; now: string; head: number }): Promise<TopMetricsRow> {
  const signed = await countSignatures(sql, f.head)
  const [row] = await sql<TopMetricsRow[]>`
    with top as (
      ${scores(sql, f.now)}
      order by v.stake desc, v.id
      limit ${f.count}
    )
    select trim_scale(coalesce(avg(top.votes_metric), 0)) as votes_metric,
           trim_scale(coalesce(avg(top.commission_metric), 0)) as commission_metric,
           trim_scale(coalesce(avg(top.operation_time_metric), 0)) as operation_time_metric,
           trim_scale(coalesce(avg(top.self_delegation_metric), 0)) as self_delegation_metric,
           trim_scale(coalesce(avg(coalesce(s.signed, 0)) / ${WINDOW}, 0)) as block_missed_metric
    from top
    left join unnest(${[...signed.keys()]}::int[], ${[...signed.values()]}::int[]) as s(id, signed) on s.id = top.id`
  return row!
}

/** Scores 0..1 (docs/rules.md R30); `now` is the time of the head. */
function scores(sql: Reader, now: string) {
  return sql`
    select v.id, v.moniker, trim_scale(v.max_rate) as max_rate, trim_scale(v.max_change_rate) as max_change_rate, v.stake,
           v.creation_time, coalesce(d.amount, 0) as self_delegation_amount,
           applied.total as applied_proposals_count, voted.total as votes_count,
           trim_scale(case when applied.total > 0 then voted.total::numeric / applied.total else 0 end) as votes_metric,
           trim_scale(1 - (0.65 * v.max_rate + 0.35 * v.max_change_rate)) as commission_metric,
           trim_scale(least(1, extract(epoch from ${now}::timestamptz - v.creation_time) / 31536000)) as operation_time_metric,
           trim_scale(case
             when v.stake > v.min_self_delegation and d.amount > v.min_self_delegation
               then 1 - (d.amount - v.min_self_delegation) / (v.stake - v.min_self_delegation)
             else 0
           end) as self_delegation_metric
    from validator v
    left join delegation d on d.validator_id = v.id and d.address_id = v.delegator_id
    cross join (select count(*) as total from proposal where status = 'applied') applied
    cross join lateral (
      select count(distinct o.proposal_id) as total
      from vote o
      join proposal p on p.id = o.proposal_id and p.status = 'applied'
      where o.validator_id = v.id
    ) voted`
}

/** Signed heights of the window by validator: the block after a height says who signed it. */
async function countSignatures(sql: Reader, head: number): Promise<Map<number, number>> {
  const rows = await sql<{ signers: Uint8Array }[]>`
    select signers
    from block
    where height between ${Math.max(2, head - WINDOW + 1)} and ${head}`
  const signed = new Map<number, number>()
  for (const { signers } of rows) addSigners(signed, signers)
  return signed
}

/** The contract keeps the reference's name: what counts as `missed` are signed heights. */
function withSignatures(
  row: Omit<ValidatorMetricsRow, 'block_missed_count' | 'block_missed_metric'>,
  signed: number,
): ValidatorMetricsRow {
  return { ...row, block_missed_count: signed, block_missed_metric: String(signed / WINDOW) }
}
