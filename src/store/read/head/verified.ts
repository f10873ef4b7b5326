import type { Reader } from '../../db.ts'

/** `height`: up to it all txs are those that the headers seal. `trouble`: why the next one is not verified, where that is known. */
export type VerifiedRow = { height: number; trouble: string | null }

/** Undefined until the first block is indexed. */
export async function findVerified(sql: Reader): Promise<VerifiedRow | undefined> {
  const [row] = await sql<VerifiedRow[]>`
    select coalesce(u.first_height - 1, h.last_height) as height, u.trouble
    from head h left join (select first_height, trouble from unverified order by first_height limit 1) u on true`
  return row
}
