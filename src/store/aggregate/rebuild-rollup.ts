import type pg from 'pg'
import { framedForBlocks, ROLLUP_BUCKETS, ROLLUP_NAMESPACES } from './recompute.ts'

/**
 * Makes the buckets of a rollup again after its links to blobs changed; within the transaction that changes them and moves the registry
 * version. Without links the rollup's buckets are gone. The sums of blobs of any rollup follow.
 */
export async function rebuildRollupBuckets(client: pg.ClientBase, rollupId: number): Promise<void> {
  await client.query('delete from rollup_bucket where rollup_id = $1', [rollupId])
  await client.query('delete from rollup_namespace where rollup_id = $1', [rollupId])
  await client.query(
    `insert into rollup_bucket (rollup_id, frame, time, blobs_count, size, fee, pfb_count)
     select rollup_id, frame, time, blobs_count, size, fee, pfb_count from (${ROLLUP_BUCKETS}) e where rollup_id = $1`,
    [rollupId],
  )
  await client.query(
    `insert into rollup_namespace (namespace_id, rollup_id, blobs_count, size, last_time)
     select namespace_id, rollup_id, blobs_count, size, last_time from (${ROLLUP_NAMESPACES}) e where rollup_id = $1`,
    [rollupId],
  )
  await rebuildRollupTotals(client)
}

/** Blobs of any rollup, each once: a blob may have won or lost its only rollup, so all linked blobs are counted again. */
async function rebuildRollupTotals(client: pg.ClientBase): Promise<void> {
  await client.query(
    `with sums as (
       select f.frame, f.start as time, count(*) as count, sum(s.size) as size, sum(s.fee) as fee
       ${framedForBlocks(`
         select b.time, b.size, b.fee
         from (select distinct blob_id from blob_rollup) k
         join blob b on b.height = (k.blob_id >> 24)::integer and b.id = k.blob_id
       `)}
       group by 1, 2
     )
     update block_bucket b
     set rollup_blobs_count = coalesce(s.count, 0), rollup_blobs_size = coalesce(s.size, 0), rollup_blobs_fee = coalesce(s.fee, 0)
     from block_bucket k
     left join sums s on s.frame = k.frame and s.time = k.time
     where b.frame = k.frame and b.time = k.time
       and row(b.rollup_blobs_count, b.rollup_blobs_size, b.rollup_blobs_fee)
           is distinct from row(coalesce(s.count, 0), coalesce(s.size, 0)::bigint, coalesce(s.fee, 0))`,
  )
}
