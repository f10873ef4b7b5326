import type { AccessDb } from './db.ts'

/** What a server asks for one account. */
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
}

export function createLimitStore(sql: AccessDb): LimitStore {
  return { take: (asks) => takePoints(sql, asks) }
}

/**
 * Fills each bucket up to now, settles what was used, and grants what is left of the wish. Rows are locked in one order, so that
 * servers never wait for each other in a circle.
 */
async function takePoints(sql: AccessDb, asks: readonly PointsAsk[]): Promise<PointsGrant[]> {
  const accounts = asks.map(({ account }) => account)
  const bursts = asks.map(({ burst }) => burst)
  const quotas = asks.map(({ quota }) => quota ?? null)
  const grants = await sql.begin(async (tx) => {
    await tx`
      insert into limit_bucket (account, tokens, refilled_at, day, used, granted)
      select account, burst, clock_timestamp(), (clock_timestamp() at time zone 'UTC')::date, 0, 0
      from unnest(${accounts}::text[], ${bursts}::float8[]) as ask(account, burst)
      order by account
      on conflict (account) do nothing`
    await tx`select account from limit_bucket where account = any(${accounts}::text[]) order by account for update`
    return tx<PointsGrant[]>`
      update limit_bucket b
      set (tokens, refilled_at, day, used, granted) = (
        select after.tokens - grant_.points, greatest(b.refilled_at, moment.now), greatest(b.day, moment.day), after.used + grant_.points, grant_.points
        from (select clock_timestamp() as now, (clock_timestamp() at time zone 'UTC')::date as day) moment,
             lateral (select least(ask.burst, b.tokens + ask.rate * greatest(0, extract(epoch from moment.now - b.refilled_at))) as tokens) full_,
             -- What servers gave on their own while this table was away must not lock an account out for as long again.
             lateral (select greatest(-ask.burst / 4, least(ask.burst, full_.tokens - ask.spent)) as tokens,
                             greatest(0, case when b.day >= moment.day then b.used else 0 end + ask.spent) as used) after,
             lateral (select floor(greatest(0, least(ask.wanted, after.tokens, coalesce(ask.quota, 'Infinity') - after.used))) as points) grant_
      )
      from unnest(${accounts}::text[], ${asks.map(({ spent }) => spent)}::float8[], ${asks.map(({ wanted }) => wanted)}::float8[],
                  ${asks.map(({ rate }) => rate)}::float8[], ${bursts}::float8[], ${quotas}::float8[]) as ask(account, spent, wanted, rate, burst, quota)
      where b.account = ask.account
      returning b.account, b.granted, b.tokens, b.used`
  })
  return grants as unknown as PointsGrant[]
}

/** Buckets that are full again and were used on an earlier day say nothing any more. */
export async function forgetBuckets(sql: AccessDb): Promise<void> {
  await sql`
    delete from limit_bucket
    where refilled_at < now() - interval '1 hour' and day < (now() at time zone 'UTC')::date`
}
