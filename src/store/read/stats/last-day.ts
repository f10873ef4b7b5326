import type { Reader } from '../../db.ts'
import type { Fragment } from '../../sql/fragment.ts'
import { HOUR } from '../../state/bucket.ts'

/**
 * The last 24 hours before `now`, the time of the head: the hours that begin in them, and single rows of the blocks before the first
 * such hour. Those are found by time and read by height.
 */
export function sinceDay(sql: Reader, now: string): Fragment {
  return sql`(${now}::timestamptz - interval '1 day')`
}

/** Height of the first block of the day, and of the first one of its first whole hour. */
function edgeHeights(sql: Reader, now: string): { first: Fragment; end: Fragment } {
  const since = sinceDay(sql, now)
  return {
    first: sql`(select k.height from block k where k.time > ${since} order by k.time limit 1)`,
    end: sql`(select k.height from block k where k.time >= date_trunc('hour', ${since}) + interval '1 hour' order by k.time limit 1)`,
  }
}

/** Rows of a table with heights that stand before the first whole hour. */
export function inFirstHour(sql: Reader, now: string): Fragment {
  const { first, end } = edgeHeights(sql, now)
  return sql`height >= ${first} and height < ${end}`
}

/** Posts of verified rollups in the last 24 hours, in parts that are to be added up: `(rollup_id, blobs_count, size, fee, pfb_count)`. */
export function rollupParts(sql: Reader, now: string): Fragment {
  return sql`
    select b.rollup_id, b.blobs_count, b.size, b.fee, b.pfb_count
    from rollup_bucket b
    join rollup r on r.id = b.rollup_id and r.verified
    where b.frame = ${HOUR} and b.time > ${sinceDay(sql, now)}
    union all
    select l.rollup_id, count(*), sum(b.size), sum(b.fee), count(distinct b.message_id)
    from (${linksInFirstHour(sql, now)}) l
    join blob b on b.height = (l.blob_id >> 24)::integer and b.id = l.blob_id
    group by l.rollup_id`
}

/** Posts for no verified rollup, in parts: `(blobs_count, size, fee)`. */
export function otherParts(sql: Reader, now: string): Fragment {
  return sql`
    select blobs_count - rollup_blobs_count as blobs_count, blobs_size - rollup_blobs_size as size, blobs_fee - rollup_blobs_fee as fee
    from block_bucket
    where frame = ${HOUR} and time > ${sinceDay(sql, now)}
    union all
    select count(*), coalesce(sum(size), 0), coalesce(sum(fee), 0)
    from blob
    where ${inFirstHour(sql, now)} and id not in (select l.blob_id from (${linksInFirstHour(sql, now)}) l)`
}

/** One range of links per rollup. */
function linksInFirstHour(sql: Reader, now: string): Fragment {
  const { first, end } = edgeHeights(sql, now)
  return sql`
    select l.rollup_id, l.blob_id
    from rollup r
    join blob_rollup l on l.rollup_id = r.id and l.blob_id >= ${first}::bigint << 24 and l.blob_id < ${end}::bigint << 24
    where r.verified`
}
