import type { Reader } from '../db.ts'

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
