import type { SqlPool } from '../db.ts'

export type UsageRow = { day: string; requests: number; points: number; refused: number }

export type UsageCount = { keyId: string; day: string; requests: number; points: number; refused: number }

/** Adds what a server counted since its last report. */
export async function addUsage(sql: SqlPool, counts: readonly UsageCount[]): Promise<void> {
  await sql`
    insert into api_usage as u (key_id, day, requests, points, refused)
    select key_id, day, requests, points, refused
    from unnest(${counts.map(({ keyId }) => keyId)}::text[], ${counts.map(({ day }) => day)}::date[],
                ${counts.map(({ requests }) => requests)}::bigint[], ${counts.map(({ points }) => points)}::bigint[],
                ${counts.map(({ refused }) => refused)}::bigint[]) as c(key_id, day, requests, points, refused)
    order by key_id, day
    on conflict (key_id, day) do update
    set requests = u.requests + excluded.requests, points = u.points + excluded.points, refused = u.refused + excluded.refused`
}

/** Days of an account, all its keys together, newest first. */
export function listUsage(sql: SqlPool, account: string, days: number): Promise<UsageRow[]> {
  return sql<UsageRow[]>`
    select u.day, sum(u.requests)::bigint as requests, sum(u.points)::bigint as points, sum(u.refused)::bigint as refused
    from api_usage u
    join api_key k on k.id = u.key_id
    where k.account = ${account} and u.day > (now() at time zone 'UTC')::date - ${days}::integer
    group by u.day
    order by u.day desc`
}
