import type { Reader } from '../../db.ts'

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
