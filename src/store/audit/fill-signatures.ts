import { openPool, type SqlPool } from '../db.ts'
import { signatureBuckets } from './recompute.ts'

/**
 * Fills the hours and days of signatures that began before the table was there, each in its own statement that can be repeated. Only
 * what has ended and cannot be taken back any more is filled, so that the writer is never met.
 */
export async function fillSignatures(url: string, schema: string, signal?: AbortSignal): Promise<void> {
  const sql = openPool('offchain', { url, schema, max: 1 })
  try {
    for (let next = await findUnfilled(sql); next && !signal?.aborted; next = await findUnfilled(sql)) {
      const { frame, since, until } = next
      await sql.unsafe(
        `insert into signature_bucket (frame, time, signed)
         select frame, time, signed from (${signatureBuckets('time >= $2::timestamptz and time < $3::timestamptz')}) b where frame = $1
         on conflict do nothing`,
        [frame, since, until],
      )
    }
  } finally {
    await sql.end()
  }
}

async function findUnfilled(sql: SqlPool): Promise<{ frame: number; since: string; until: string } | undefined> {
  const [row] = await sql<{ frame: number; since: string; until: string }[]>`
    select k.frame, k.time::text as since, (k.time + f.length)::text as until
    from (values (1, interval '1 hour'), (2, interval '1 day')) f (frame, length)
    join block_bucket k on k.frame = f.frame
    where (select has_state from index_start)
      and k.time + f.length <= (select time from block
                                where height = coalesce((select min(height) - 1 from undo), (select last_height from head)))
      and not exists (select from signature_bucket b where b.frame = k.frame and b.time = k.time)
    order by k.frame, k.time
    limit 1`
  return row
}
