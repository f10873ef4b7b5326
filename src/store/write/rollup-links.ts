import type pg from 'pg'
import { ROLLUP_BUCKETS, ROLLUP_NAMESPACES } from '../aggregate/recompute.ts'

/**
 * Links of a rollup to the blobs that are indexed already, with everything that is counted from them: what the writer would have
 * kept, had the rollup been in the registry from the first block on. The caller holds the head row and uses UTC.
 */
export async function linkBlobs(client: pg.ClientBase, rollupId: number): Promise<void> {
  for (const { signer, namespace } of await findProviders(client, rollupId)) {
    // One provider at a time: each of the three forms has its index, an `or` over them has none.
    const conditions = [
      ...(signer === undefined ? [] : ['signer_id = $2']),
      ...(namespace === undefined ? [] : [`namespace_id = $${signer === undefined ? 2 : 3}`]),
    ]
    await client.query(
      `insert into blob_rollup (rollup_id, blob_id, size)
       select $1, id, size from blob where ${conditions.join(' and ')}
       on conflict (rollup_id, blob_id) do nothing`,
      [rollupId, ...(signer === undefined ? [] : [signer]), ...(namespace === undefined ? [] : [namespace])],
    )
  }
  await client.query(
    `insert into rollup_stats (rollup_id, blobs_count, size, fee, pfb_count, first_message_time, last_message_time)
     select k.rollup_id, count(*), sum(b.size), sum(b.fee), count(distinct b.message_id), min(b.time), max(b.time)
     from blob_rollup k
     join blob b on b.height = (k.blob_id >> 24)::integer and b.id = k.blob_id
     where k.rollup_id = $1
     group by k.rollup_id`,
    [rollupId],
  )
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
  await moveTotals(client, rollupId, '+')
}

/** Undoes `linkBlobs`. */
export async function unlinkBlobs(client: pg.ClientBase, rollupId: number): Promise<void> {
  await moveTotals(client, rollupId, '-')
  for (const table of ['rollup_bucket', 'rollup_namespace', 'rollup_stats', 'blob_rollup'])
    await client.query(`delete from ${table} where rollup_id = $1`, [rollupId])
}

/** Blobs of any rollup count once: only those that no other rollup has come or go with this one. */
async function moveTotals(client: pg.ClientBase, rollupId: number, sign: '+' | '-'): Promise<void> {
  await client.query(
    `with own as (
       select b.time, b.size, b.fee
       from blob_rollup k
       join blob b on b.height = (k.blob_id >> 24)::integer and b.id = k.blob_id
       where k.rollup_id = $1
         and not exists (
           select from rollup r join blob_rollup o on o.rollup_id = r.id and o.blob_id = k.blob_id where r.id <> $1
         )
     ),
     sums as (
       select f.frame, f.start, count(*) as count, sum(own.size) as size, sum(own.fee) as fee
       from own
       cross join lateral (values
         (1::smallint, date_trunc('hour', own.time)), (2::smallint, date_trunc('day', own.time)), (3::smallint, date_trunc('month', own.time))
       ) f(frame, start)
       group by 1, 2
     )
     update block_bucket b
     set rollup_blobs_count = b.rollup_blobs_count ${sign} s.count,
         rollup_blobs_size = b.rollup_blobs_size ${sign} s.size,
         rollup_blobs_fee = b.rollup_blobs_fee ${sign} s.fee
     from sums s
     where b.frame = s.frame and b.time = s.start`,
    [rollupId],
  )
}

type Provider = { signer: number | undefined; namespace: number | undefined }

/** Providers as ids; one whose address or namespace the chain has not seen cannot have blobs. */
async function findProviders(client: pg.ClientBase, rollupId: number): Promise<Provider[]> {
  const { rows } = await client.query<{
    address: Buffer | null
    namespace: Buffer | null
    signer: number | null
    used: number | null
  }>(
    `select p.address, p.namespace, a.id as signer, n.id as used
     from rollup_provider p
     left join address a on a.address = p.address
     left join namespace n on n.version = get_byte(p.namespace, 0) and n.namespace_id = substr(p.namespace, 2)
     where p.rollup_id = $1`,
    [rollupId],
  )
  return rows
    .filter(
      ({ address, namespace, signer, used }) => (address === null || signer !== null) && (namespace === null || used !== null),
    )
    .map(({ signer, used }) => ({ signer: signer ?? undefined, namespace: used ?? undefined }))
}
