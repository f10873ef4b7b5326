import type { Reader } from '../../db.ts'
import { direction, type Fragment, optional } from '../../sql/fragment.ts'

export type RollupCategory = 'uncategorized' | 'finance' | 'gaming' | 'nft' | 'social'
export type RollupType = 'sovereign' | 'settled' | 'other'

/** The curated entry; texts are empty when not given. */
export type RollupRow = {
  id: number
  name: string
  slug: string
  description: string
  website: string
  github: string
  twitter: string
  logo: string
  l2_beat: string
  defi_lama: string
  bridge: string
  explorer: string
  stack: string
  compression: string
  provider: string
  vm: string
  settled_on: string
  color: string
  type: RollupType
  category: RollupCategory
  tags: string[]
  links: string[]
}

export type RollupWithStatsRow = RollupRow & {
  blobs_count: number
  size: number
  fee: string
  first_message_time: string
  last_message_time: string
  /** shares among all listed rollups, 0..1 */
  size_pct: number
  fee_pct: number
  blobs_count_pct: number
  /** bytes of the last week against the week before it */
  da_pct: number
  is_active: boolean
}

export type RollupFilter = {
  /** time of the head */
  now: string
  limit: number
  offset: number
  sort: 'asc' | 'desc'
  sort_by: 'time' | 'blobs_count' | 'size' | 'fee' | 'pfb_count'
  tags?: string[] | undefined
  stack?: string[] | undefined
  provider?: string[] | undefined
  category?: RollupCategory[] | undefined
  type?: RollupType[] | undefined
  is_active?: boolean | undefined
}

/** Verified rollups that have blobs. */
export function listRollups(sql: Reader, f: RollupFilter): Promise<RollupWithStatsRow[]> {
  const key = {
    time: sql`s.last_message_time`,
    blobs_count: sql`s.blobs_count`,
    size: sql`s.size`,
    fee: sql`s.fee`,
    pfb_count: sql`s.pfb_count`,
  }[f.sort_by]
  return sql<RollupWithStatsRow[]>`
    select ${rollupColumns(sql)}, ${statsColumns(sql, f.now)}
    ${fromRollups(sql, f.now)}
    where r.verified and s.blobs_count > 0
      ${f.tags ? sql`and r.tags && ${f.tags}::text[]` : sql``}
      ${f.stack ? sql`and r.stack = any(${f.stack}::text[])` : sql``}
      ${f.provider ? sql`and r.provider = any(${f.provider}::text[])` : sql``}
      ${f.category ? sql`and r.category = any(${f.category}::text[])` : sql``}
      ${f.type ? sql`and r.type = any(${f.type}::text[])` : sql``}
      ${optional`and (s.last_message_time > ${monthBefore(sql, f.now)}) = ${f.is_active}`}
    order by ${key} ${direction(f.sort)}, r.id ${direction(f.sort)}
    limit ${f.limit} offset ${f.offset}`
}

export async function findRollup(
  sql: Reader,
  which: { id: number } | { slug: string },
  now: string,
): Promise<RollupWithStatsRow | undefined> {
  const [row] = await sql<RollupWithStatsRow[]>`
    select ${rollupColumns(sql)}, ${statsColumns(sql, now)}
    ${fromRollups(sql, now)}
    where r.verified and s.blobs_count > 0
      and ${'id' in which ? sql`r.id = ${which.id}` : sql`r.slug = ${which.slug}`}`
  return row
}

export async function countRollups(sql: Reader): Promise<number> {
  const [row] = await sql<{ total: number }[]>`select count(*) as total from rollup where verified`
  return row!.total
}

/** Columns of a `RollupRow` over `rollup r`. */
export function rollupColumns(sql: Reader): Fragment {
  return sql`
    r.id, r.name, r.slug, r.description, r.website, r.github, r.twitter, r.logo, r.l2_beat, r.defi_lama, r.bridge, r.explorer, r.stack,
    r.compression, r.provider, r.vm, r.settled_on, r.color, r.type, r.category, to_json(r.tags) as tags, to_json(r.links) as links`
}

function statsColumns(sql: Reader, now: string): Fragment {
  return sql`
    s.blobs_count, s.size, round(s.fee) as fee, s.first_message_time, s.last_message_time,
    coalesce(s.size / nullif(total.size, 0)::float8, 0) as size_pct, coalesce((s.fee / nullif(total.fee, 0))::float8, 0) as fee_pct,
    s.blobs_count / total.blobs_count::float8 as blobs_count_pct,
    case
      when week.before > 0 then week.last / week.before::float8 - 1
      when week.last > 0 then 1
      else 0
    end as da_pct,
    s.last_message_time > ${monthBefore(sql, now)} as is_active`
}

/** `total` runs over all listed rollups, whatever the filter; weeks are counted in whole hours. */
function fromRollups(sql: Reader, now: string): Fragment {
  return sql`
    from rollup r
    join rollup_stats s on s.rollup_id = r.id
    cross join (
      select sum(t.size) as size, sum(t.fee) as fee, sum(t.blobs_count) as blobs_count
      from rollup_stats t
      join rollup v on v.id = t.rollup_id and v.verified
    ) total
    cross join lateral (
      select coalesce(sum(b.size) filter (where b.time >= ${now}::timestamptz - interval '7 days'), 0) as last,
             coalesce(sum(b.size) filter (where b.time < ${now}::timestamptz - interval '7 days'), 0) as before
      from rollup_bucket b
      where b.rollup_id = r.id and b.frame = 1 and b.time >= ${now}::timestamptz - interval '14 days'
    ) week`
}

function monthBefore(sql: Reader, now: string): Fragment {
  return sql`${now}::timestamptz - interval '1 month'`
}

/** PFB txs of every listed rollup: the paid surface sorts rollups by it. */
export function listRollupPfbs(sql: Reader): Promise<{ rollup_id: number; pfb_count: number }[]> {
  return sql<{ rollup_id: number; pfb_count: number }[]>`
    select s.rollup_id, s.pfb_count
    from rollup_stats s
    join rollup r on r.id = s.rollup_id
    where r.verified`
}

export type RegistryRow = {
  id: number
  slug: string
  name: string
  /** `filling`: its blobs are being linked; it is shown, and `verified`, when it has all of them */
  state: 'verified' | 'unverified' | 'filling'
  providers: number
  blobs: number
}

/** Every entry with how much is linked to it; for operators. */
export function listRegistry(sql: Reader): Promise<RegistryRow[]> {
  return sql<RegistryRow[]>`
    select r.id, r.slug, r.name,
           case when r.verified then 'verified' when f.rollup_id is not null then 'filling' else 'unverified' end as state,
           (select count(*) from rollup_provider p where p.rollup_id = r.id) as providers,
           coalesce(s.blobs_count, 0) as blobs
    from rollup r
    left join rollup_stats s on s.rollup_id = r.id
    left join rollup_fill f on f.rollup_id = r.id
    order by r.id`
}

/** Entries that wait for an operator, oldest first. */
export function listUnverified(sql: Reader): Promise<RollupRow[]> {
  return sql<RollupRow[]>`
    select id, name, slug, description, website, github, twitter, logo, l2_beat, defi_lama, bridge, explorer, stack, compression,
           provider, vm, settled_on, color, type, category, tags, links
    from rollup
    where not verified and id not in (select rollup_id from rollup_fill)
    order by id`
}
