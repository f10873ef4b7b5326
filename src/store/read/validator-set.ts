import type { Reader } from '../db.ts'
import type { Fragment } from '../sql/fragment.ts'

/** `publicKey` is lower-case hex. */
export type PowerRow = { publicKey: string; power: bigint }

/**
 * Voters of a height, as far as they are known: updates of a block count two heights later, those that the index began with at once. For the first
 * block of an index that began without state these are the voters of the second, which may differ.
 */
export async function listPowersAt(sql: Reader, height: number): Promise<PowerRow[]> {
  const rows = await sql<{ public_key: string; power: string }[]>`
    select encode(k.public_key, 'hex') as public_key, last.power::text as power
    from consensus_key k
    cross join lateral (
      select p.power from consensus_power p
      where p.key_id = k.id and p.height <= greatest(${height - 2}::integer, (select base_height from index_start))
      order by p.height desc
      limit 1
    ) last
    where last.power > 0`
  return rows.map(({ public_key, power }) => ({ publicKey: public_key, power: BigInt(power) }))
}

/** Validators in the sets of these heights, as `validator_id` from `first_height` to `last_height`; one that left and came back has several rows. */
export function membersBetween(sql: Reader, from: number | Fragment, to: number): Fragment {
  const first = sql`(${from})::integer`
  const last = sql`${to}::integer`
  const base = sql`(select base_height from index_start)`
  const counted = (height: Fragment) => sql`greatest(${height} - 2, ${base})`
  return sql`
    select v.id as validator_id, greatest(m.since, ${first}) as first_height, least(m.until, ${last}) as last_height
    from (
      select f.key_id, f.is_member, f.since, lead(f.since, 1, ${2 ** 31 - 1}::integer) over (partition by f.key_id order by f.since) - 1 as until
      from (
        select p.key_id, p.power > 0 as is_member, lag(p.power > 0, 1, false) over (partition by p.key_id order by p.height) as was_member,
               case when p.height <= ${base} then ${base} + 1 else p.height + 2 end as since
        from (
          select k.id as key_id, o.height, o.power
          from consensus_key k
          cross join lateral (
            select c.height, c.power from consensus_power c
            where c.key_id = k.id and c.height <= ${counted(first)}
            order by c.height desc
            limit 1
          ) o
          union all
          select c.key_id, c.height, c.power from consensus_power c where c.height > ${counted(first)} and c.height <= ${counted(last)}
        ) p
      ) f
      where f.is_member <> f.was_member
    ) m
    join consensus_key k on k.id = m.key_id
    join validator v on v.cons_address = substring(sha256(k.public_key) from 1 for 20)
    where m.is_member and m.since <= ${last}`
}
