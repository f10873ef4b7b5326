import type { SqlPool } from '../db.ts'
import { holdsLease, type Lease } from './lease.ts'

/** Days before the end of an account's last key at which its owner is told. */
const TOLD_DAYS = [7, 1]

/**
 * Writes a notice for every subscription to `key.expiring` whose account's last key ends soon; once for each of the days, under an id that
 * follows from key, end and day.
 */
export async function noteExpiringKeys(sql: SqlPool, lease: Lease): Promise<void> {
  await sql`
    insert into webhook_delivery (webhook_id, id, epoch, type, height, position, data, state)
    select w.id, 'msg_' || md5(concat_ws(' ', w.id, k.id, extract(epoch from k.expires_at), d.days)), 0, 'key.expiring', w.height, 0,
           jsonb_build_object(
             'key', k.id, 'account', k.account, 'plan', k.plan, 'days', d.days,
             'expires_at', to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
           'pending'
    from webhook w
    join api_key k on k.account = w.account and k.revoked_at is null and k.expires_at > now()
    join lateral (
      select min(days) as days
      from unnest(${TOLD_DAYS}::integer[]) as days
      where k.expires_at <= now() + make_interval(days => days)
    ) d on d.days is not null
    where w.network = ${lease.network} and w.state = 'active' and 'key.expiring' = any (w.events)
      and not exists (
        select from api_key o
        where o.account = k.account and o.revoked_at is null and (o.expires_at is null or o.expires_at > k.expires_at))
      and ${holdsLease(sql, lease)}
    on conflict do nothing`
}
