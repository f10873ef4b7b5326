import type { Sql } from '../sql/statement.ts'

/** `day` as in 2026-11-18, of UTC. */
export type DayUsage = { account: string; day: string; events: number; bytes: number }

/** Days of which usage is kept. */
const KEPT_DAYS = 40

const today = (sql: Sql) => sql`(clock_timestamp() at time zone 'UTC')::date`

/** Adds what was posted, and tells the sums of the day. Accounts are in order, so that two that count at once never wait for each other. */
export function addUsage(sql: Sql, posts: readonly { account: string; bytes: number }[]): Promise<DayUsage[]> {
  const sums = new Map<string, { events: number; bytes: number }>()
  for (const { account, bytes } of posts) {
    const sum = sums.get(account) ?? { events: 0, bytes: 0 }
    sums.set(account, { events: sum.events + 1, bytes: sum.bytes + bytes })
  }
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([account, sum]) => ({ account, ...sum }))
  return sql<DayUsage[]>`
    insert into webhook_usage as u (account, day, events, bytes)
    select r.account, ${today(sql)}, r.events, r.bytes
    from unnest(${rows.map(({ account }) => account)}::text[], ${rows.map(({ events }) => events)}::integer[],
                ${rows.map(({ bytes }) => bytes)}::integer[]) as r(account, events, bytes)
    on conflict (account, day) do update
    set events = u.events + excluded.events, bytes = u.bytes + excluded.bytes
    returning account, day::text as day, events, bytes`
}

/** Of today. */
export function listUsage(sql: Sql): Promise<DayUsage[]> {
  return sql<DayUsage[]>`select account, day::text as day, events, bytes from webhook_usage where day = ${today(sql)}`
}

export async function forgetUsage(sql: Sql): Promise<void> {
  await sql`delete from webhook_usage where day < ${today(sql)} - ${KEPT_DAYS}::integer`
}
