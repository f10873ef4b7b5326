import type pg from 'pg'

/** Ids of blobs: from `from`, below `below`. */
export type BlobSpan = { from: number; below: number }

/** Above every id. */
export const NO_BOUND = Number.MAX_SAFE_INTEGER

/**
 * Where a slice of about `blobs` blobs that are to be linked ends; `span.below` when there are no more. It ends with a block, because
 * what is counted per tx and per bucket is counted per block.
 */
export async function endOfSlice(client: pg.ClientBase, rollupId: number, span: BlobSpan, blobs: number): Promise<number> {
  const providers = await findProviders(client, rollupId)
  if (providers.length === 0) return span.below
  const parts = providers.map((provider) => `(${select(provider, 'id')} order by id limit $3)`)
  const { rows } = await client.query<{ count: number; last: string | null }>(
    `select count(*)::integer as count, max(id) >> 24 as last from (select id from (${parts.join(' union ')}) f order by id limit $3) s`,
    [span.from, span.below, blobs],
  )
  const { count, last } = rows[0]!
  return count < blobs || last === null ? span.below : Math.min(span.below, (Number(last) + 1) * 2 ** 24)
}

/**
 * Links a rollup to the indexed blobs of a span, with everything that is counted from them: what the writer would have kept, had the
 * rollup been in the registry from the first block on. The totals of all rollups wait in `rollup_fill_total`. The span covers whole
 * blocks; the session uses UTC.
 */
export async function linkBlobs(client: pg.ClientBase, rollupId: number, { from, below }: BlobSpan): Promise<void> {
  const providers = await findProviders(client, rollupId)
  if (providers.length === 0) return
  const columns = 'id, time, size, fee, message_id, namespace_id'
  await client.query(
    `with found as materialized (${providers.map((provider) => select(provider, columns)).join(' union ')}),
     framed as (
       select f.frame, f.start, b.id, b.size, b.fee, b.message_id
       from found b
       cross join lateral (values
         (1::smallint, date_trunc('hour', b.time)), (2::smallint, date_trunc('day', b.time)), (3::smallint, date_trunc('month', b.time))
       ) f(frame, start)
     ),
     links as (insert into blob_rollup (rollup_id, blob_id, size) select $3, id, size from found),
     stats as (
       insert into rollup_stats as o (rollup_id, blobs_count, size, fee, pfb_count, first_message_time, last_message_time)
       select $3, count(*), sum(size), sum(fee), count(distinct message_id), min(time), max(time) from found having count(*) > 0
       on conflict (rollup_id) do update
       set blobs_count = o.blobs_count + excluded.blobs_count, size = o.size + excluded.size, fee = o.fee + excluded.fee,
           pfb_count = o.pfb_count + excluded.pfb_count, last_message_time = excluded.last_message_time
     ),
     buckets as (
       insert into rollup_bucket as o (rollup_id, frame, time, blobs_count, size, fee, pfb_count)
       select $3, frame, start, count(*), sum(size), sum(fee), count(distinct message_id) from framed group by 2, 3
       on conflict (rollup_id, frame, time) do update
       set blobs_count = o.blobs_count + excluded.blobs_count, size = o.size + excluded.size, fee = o.fee + excluded.fee,
           pfb_count = o.pfb_count + excluded.pfb_count
     ),
     namespaces as (
       insert into rollup_namespace as o (namespace_id, rollup_id, blobs_count, size, last_time)
       select namespace_id, $3, count(*), sum(size), max(time) from found group by 1
       on conflict (namespace_id, rollup_id) do update
       set blobs_count = o.blobs_count + excluded.blobs_count, size = o.size + excluded.size, last_time = excluded.last_time
     )
     insert into rollup_fill_total as o (frame, time, blobs_count, size, fee)
     select frame, start, count(*), sum(size), sum(fee)
     from framed b
     where not exists (select from rollup r join blob_rollup k on k.rollup_id = r.id and k.blob_id = b.id where r.id <> $3)
     group by 1, 2
     on conflict (frame, time) do update
     set blobs_count = o.blobs_count + excluded.blobs_count, size = o.size + excluded.size, fee = o.fee + excluded.fee`,
    [from, below, rollupId],
  )
}

/** Adds what waits in `rollup_fill_total` to the totals of all rollups. */
export async function addFilledTotals(client: pg.ClientBase): Promise<void> {
  await client.query(
    `update block_bucket b
     set rollup_blobs_count = b.rollup_blobs_count + s.blobs_count,
         rollup_blobs_size = b.rollup_blobs_size + s.size,
         rollup_blobs_fee = b.rollup_blobs_fee + s.fee
     from rollup_fill_total s
     where b.frame = s.frame and b.time = s.time`,
  )
  await client.query('delete from rollup_fill_total')
}

/** Takes the links of a rollup and everything counted from them away. The caller holds the head row. */
export async function unlinkBlobs(client: pg.ClientBase, rollupId: number): Promise<void> {
  // Blobs of any rollup count once: those that another rollup has too stay in the totals.
  await client.query(
    `with shared as (
       select b.time, b.size, b.fee
       from (
         select blob_id from blob_rollup where rollup_id = $1
         intersect
         select blob_id from blob_rollup where rollup_id <> $1 and rollup_id in (select id from rollup where verified)
       ) k
       join blob b on b.height = (k.blob_id >> 24)::integer and b.id = k.blob_id
     ),
     kept as (
       select f.frame, f.start as time, count(*) as blobs_count, sum(shared.size) as size, sum(shared.fee) as fee
       from shared
       cross join lateral (values
         (1::smallint, date_trunc('hour', shared.time)), (2::smallint, date_trunc('day', shared.time)),
         (3::smallint, date_trunc('month', shared.time))
       ) f(frame, start)
       group by 1, 2
     )
     update block_bucket b
     set rollup_blobs_count = b.rollup_blobs_count - s.blobs_count + coalesce(k.blobs_count, 0),
         rollup_blobs_size = b.rollup_blobs_size - s.size + coalesce(k.size, 0),
         rollup_blobs_fee = b.rollup_blobs_fee - s.fee + coalesce(k.fee, 0)
     from rollup_bucket s
     left join kept k using (frame, time)
     where s.rollup_id = $1 and b.frame = s.frame and b.time = s.time`,
    [rollupId],
  )
  for (const table of ['rollup_bucket', 'rollup_namespace', 'rollup_stats', 'blob_rollup'])
    await client.query(`delete from ${table} where rollup_id = $1`, [rollupId])
}

type Provider = { signer: number | undefined; namespace: number | undefined }

/** One provider at a time: each of its three forms has an index, an `or` over them has none. Ids are numbers of our own tables. */
function select({ signer, namespace }: Provider, columns: string): string {
  const conditions = [
    ...(signer === undefined ? [] : [`signer_id = ${signer}`]),
    ...(namespace === undefined ? [] : [`namespace_id = ${namespace}`]),
  ]
  return `select ${columns} from blob where ${conditions.join(' and ')} and id >= $1 and id < $2`
}

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
