import { type Db, type Reader, snapshot } from '../db.ts'
import { optional } from '../sql/fragment.ts'
import { addSigners } from './signers.ts'
import { membersBetween } from './validator-set.ts'

/** Blocks of a period that a validator had to sign, and those that it signed. */
export type UptimeRow = { id: number; moniker: string; expected: number; signed: number }

export type Uptime = { first_height: number; last_height: number; validators: UptimeRow[] }

/** `from` inclusive, `to` exclusive, in unix seconds: the times of the blocks that were signed. */
export type UptimePeriod = { from?: number | undefined; to?: number | undefined; validator?: number | undefined }

/** Undefined: no block of the period has its signatures in the next block yet. */
export function readUptime(db: Db, period: UptimePeriod): Promise<Uptime | undefined> {
  return snapshot(db, async (sql) => {
    const span = await findSpan(sql, period)
    if (span?.first == null || span.last === null || span.first > span.last) return undefined
    const { first, last } = span
    const signed = await countSignatures(sql, first + 1, last + 1)
    const members = await listMembers(sql, first, last, period.validator)
    const validators = members.map((member) => ({ ...member, signed: signed.get(member.id) ?? 0 }))
    return { first_height: first, last_height: last, validators }
  })
}

/** Heights that were signed within a period. The base of an index is signed by nobody, and the head by its next block. */
async function findSpan(
  sql: Reader,
  { from, to }: UptimePeriod,
): Promise<{ first: number | null; last: number | null } | undefined> {
  const [row] = await sql<{ first: number | null; last: number | null }[]>`
    select (select height from block
            where height > (select base_height from index_start) ${optional`and time >= to_timestamp(${from})`}
            order by ${from === undefined ? sql`height` : sql`time, height`} limit 1) as first,
           (select height from block
            where height < (select last_height from head) ${optional`and time < to_timestamp(${to})`}
            order by ${to === undefined ? sql`height desc` : sql`time desc, height desc`} limit 1) as last`
  return row
}

/**
 * Signatures that blocks hold, by validator. Whole days and hours between the first and the last hour are read from their buckets; the rest,
 * and hours that have none, block by block.
 */
async function countSignatures(sql: Reader, first: number, last: number): Promise<Map<number, number>> {
  const [row] = await sql<{ sums: [number, number][] | null; bitmaps: string | null }[]>`
    with span as (
      select date_trunc('hour', f.time) + interval '1 hour' as since, date_trunc('hour', l.time) as until
      from block f, block l
      where f.height = ${first} and l.height = ${last}
    ), day as materialized (
      select b.time, b.signed
      from span s
      join signature_bucket b on b.frame = 2 and b.time >= s.since and b.time + interval '1 day' <= s.until
    ), hour as materialized (
      select k.time, b.signed
      from span s
      join block_bucket k on k.frame = 1 and k.time >= s.since and k.time < s.until
      left join signature_bucket b on b.frame = 1 and b.time = k.time
      where date_trunc('day', k.time) not in (select time from day)
    )
    select (select json_agg(json_build_array(u.id, u.signed))
            from (select p.id, sum(p.signed) as signed
                  from (select signed from day union all select signed from hour where signed is not null) b
                  cross join lateral unnest(b.signed) with ordinality p (signed, id)
                  group by p.id) u) as sums,
           (select string_agg(encode(b.signers, 'hex'), ',')
            from block b, span s
            where b.height between ${first} and ${last}
              and (b.time < s.since or b.time >= s.until
                   or date_trunc('hour', b.time) in (select time from hour where signed is null))) as bitmaps`
  const counts = new Map(row?.sums ?? [])
  for (const bitmap of row?.bitmaps?.split(',') ?? []) addSigners(counts, Buffer.from(bitmap, 'hex'))
  return counts
}

/** Validators that were in the set at one of these heights, and at how many of them. */
function listMembers(
  sql: Reader,
  first: number,
  last: number,
  validator: number | undefined,
): Promise<Omit<UptimeRow, 'signed'>[]> {
  return sql<Omit<UptimeRow, 'signed'>[]>`
    select v.id, v.moniker, sum(m.last_height - m.first_height + 1)::integer as expected
    from (${membersBetween(sql, first, last)}) m
    join validator v on v.id = m.validator_id
    ${optional`where v.id = ${validator}`}
    group by v.id, v.moniker
    order by v.id`
}
