import type { SqlPool } from '../db.ts'
import { optional } from '../sql/fragment.ts'
import { type Actor, localUser, noteChange } from './change-log.ts'
import { announceKeys, isActive, lockAccount, unknownAccount } from './keys.ts'

export type AccountRow = {
  account: string
  /** of its first key */
  name: string
  /** of its newest key, active ones first */
  plan: string
  active_keys: number
  /** end of the key that lasts longest; null: no key is active, or one has no end */
  valid_until: string | null
  created_at: string
  /** of the last 31 days */
  requests: number
  points: number
}

export type AccountPage = { limit: number; cursor?: string | undefined; account?: string | undefined }

/** Accounts of callers in the order of their ids; those of operators are none. */
export function listAccounts(sql: SqlPool, { limit, cursor, account }: AccountPage): Promise<AccountRow[]> {
  return sql<AccountRow[]>`
    with page as (
      select distinct account
      from api_key
      where role = 'client' ${optional`and account > ${cursor}`} ${optional`and account = ${account}`}
      order by account
      limit ${limit}
    )
    select page.account, k.name, k.plan, k.active_keys, k.valid_until, k.created_at, u.requests, u.points
    from page
    cross join lateral (
      select (array_agg(label order by created_at, id))[1] as name,
             (array_agg(plan order by ${isActive(sql)} desc, created_at desc, id))[1] as plan,
             count(*) filter (where ${isActive(sql)}) as active_keys,
             case when bool_or(${isActive(sql)} and expires_at is null) then null
                  else max(expires_at) filter (where ${isActive(sql)}) end as valid_until,
             min(created_at) as created_at
      from api_key
      where account = page.account
    ) k
    cross join lateral (
      select coalesce(sum(requests), 0)::bigint as requests, coalesce(sum(points), 0)::bigint as points
      from api_usage
      where key_id in (select id from api_key where account = page.account)
        and day > (now() at time zone 'UTC')::date - 31
    ) u
    order by page.account`
}

/** All keys of the account that may still be used. */
export function changePlan(sql: SqlPool, account: string, plan: string, by: Actor = localUser()): Promise<void> {
  return sql.begin(async (tx) => {
    await lockAccount(tx, account)
    const changed = await tx<{ before: string }[]>`
      update api_key k
      set plan = ${plan}, changed_at = clock_timestamp()
      from (select id, plan as before from api_key where account = ${account} and role = 'client' and ${isActive(tx)}) old
      where k.id = old.id
      returning old.before`
    if (changed.length === 0) throw unknownAccount(account)
    const before = [...new Set(changed.map((row) => row.before))]
    await noteChange(tx, by, { action: 'change_plan', account, details: { plan, before: before.join(', ') } })
    await announceKeys(tx)
  })
}
