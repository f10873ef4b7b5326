import type { SqlPool } from '../db.ts'
import type { Fragment } from '../sql/fragment.ts'

/** Request of a server for one account. */
export type PointsAsk = {
  account: string
  /** points used without having been granted; negative gives unused ones back */
  spent: number
  wanted: number
  rate: number
  burst: number
  /** points per day; undefined: no quota */
  quota: number | undefined
}

export type PointsGrant = {
  account: string
  granted: number
  /** left for everybody after this; may be below zero */
  tokens: number
  /** of this day */
  used: number
}

/** The counters that all servers share. */
export interface LimitStore {
  /** Settles and takes points of many accounts at once. */
  take(asks: readonly PointsAsk[]): Promise<PointsGrant[]>
  /** Says that a server is there, and tells how many are. */
  meet(server: string): Promise<number>
  /** The server is gone. */
  leave(server: string): Promise<void>
}

export function createLimitStore(sql: SqlPool): LimitStore {
  return {
    take: (asks) => takePoints(sql, asks),
    meet: (server) => meetServers(sql, server),
    leave: async (server) => {
      await sql`delete from limit_server where id = ${server}`
    },
  }
}

/** A server that was silent for this long has ended without saying so. */
const SILENCE = '5 seconds'

async function meetServers(sql: SqlPool, server: string): Promise<number> {
  const [row] = await sql<{ servers: number }[]>`
    with own as (
      insert into limit_server (id, seen_at) values (${server}, clock_timestamp())
      on conflict (id) do update set seen_at = excluded.seen_at
    )
    select 1 + count(*) as servers
    from limit_server
    where id <> ${server} and seen_at between clock_timestamp() - ${SILENCE}::interval and clock_timestamp() + ${SILENCE}::interval`
  return row!.servers
}

/**
 * Fills each bucket up to now, settles what was used, and grants what is left of the wish: one statement, one round trip. Rows come in
 * one order, so that servers never wait for each other in a circle.
 */
async function takePoints(sql: SqlPool, asks: readonly PointsAsk[]): Promise<PointsGrant[]> {
  const now = sql`clock_timestamp()`
  const today = sql`(clock_timestamp() at time zone 'UTC')::date`
  return sql<PointsGrant[]>`
    with ask as (
      select account, spent, wanted, rate, burst, quota
      from unnest(${asks.map(({ account }) => account)}::text[], ${asks.map(({ spent }) => spent)}::float8[],
                  ${asks.map(({ wanted }) => wanted)}::float8[], ${asks.map(({ rate }) => rate)}::float8[],
                  ${asks.map(({ burst }) => burst)}::float8[], ${asks.map(({ quota }) => quota ?? null)}::float8[])
           as a(account, spent, wanted, rate, burst, quota)
    )
    insert into limit_bucket as b (account, tokens, refilled_at, day, used, granted)
    select ask.account, rest.*
    from ask, lateral (${settle(sql, { tokens: sql`ask.burst`, refilledAt: now, day: today, used: sql`0` })}) rest
    order by ask.account
    on conflict (account) do update
    set (tokens, refilled_at, day, used, granted) = (
      select rest.*
      from ask, lateral (${settle(sql, { tokens: sql`b.tokens`, refilledAt: sql`b.refilled_at`, day: sql`b.day`, used: sql`b.used` })}) rest
      where ask.account = excluded.account
    )
    returning b.account, b.granted, b.tokens, b.used`
}

/** A bucket after `ask`, from what it held before. A row that a wrong clock dated ahead counts as of now, and is dated right again. */
function settle(sql: SqlPool, before: { tokens: Fragment; refilledAt: Fragment; day: Fragment; used: Fragment }) {
  return sql`
    select after.tokens - given.points, moment.now, moment.day, after.used + given.points, given.points
    from (select clock_timestamp() as now, (clock_timestamp() at time zone 'UTC')::date as day) moment,
         lateral (
           select least(ask.burst, ${before.tokens} + ask.rate * greatest(0, extract(epoch from moment.now - ${before.refilledAt}))) as tokens
         ) filled,
         lateral (
           -- What servers gave on their own while this table was away must not lock an account out for as long again.
           select greatest(-ask.burst, least(ask.burst, filled.tokens - ask.spent)) as tokens,
                  greatest(0, case when ${before.day} >= moment.day then ${before.used} else 0 end + ask.spent) as used
         ) after,
         lateral (
           select floor(greatest(0, least(ask.wanted, after.tokens, coalesce(ask.quota, 'Infinity') - after.used))) as points
         ) given`
}

/** Buckets that are full again and were used on an earlier day say nothing any more. */
export async function forgetBuckets(sql: SqlPool): Promise<void> {
  await sql`
    delete from limit_bucket
    where refilled_at < now() - interval '1 hour' and day < (now() at time zone 'UTC')::date`
  await sql`delete from limit_server where seen_at < now() - interval '1 hour'`
}
