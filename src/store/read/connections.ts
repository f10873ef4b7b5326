import type { Reader } from '../db.ts'

/** Reading connections of all processes, by what they do. */
export function countConnections(sql: Reader): Promise<{ state: string; count: number }[]> {
  return sql<{ state: string; count: number }[]>`
    select coalesce(state, 'other') as state, count(*) as count
    from pg_stat_activity
    where application_name like 'astrolabe read %'
    group by 1`
}
