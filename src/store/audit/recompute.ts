/**
 * Expected contents of the buckets, as statements over the base tables. `audit` compares with them, a change of the rollup registry fills
 * from them. Ids carry their height: `id >> 24`.
 */
import { BLOCK_EXTREMES, type BlockBucketRow, TX_EXTREMES } from '../state/block-series-tables.ts'

/** Puts the rows of `source` (with a column `time`) into hour, day and month. */
const framed = (source: string) => `
  from (${source}) s
  cross join lateral (values
    (1::smallint, date_trunc('hour', s.time)), (2::smallint, date_trunc('day', s.time)), (3::smallint, date_trunc('month', s.time))
  ) f(frame, start)`

/** Sums of the rows of `source` (with a column `height`) per owner and hour: a block lies in one hour, and its time is cut once. */
const hourly = (owner: string, sums: string[], source: string) => `
  select p.${owner}, h.hour as time, ${sums.map((column) => `sum(p.${column}) as ${column}`).join(', ')}
  from (${source}) p
  join (select height, date_trunc('hour', time) as hour from block) h using (height)
  group by 1, 2`

/** Frames with minutes. */
const framedForBlocks = (source: string) => `
  from (${source}) s
  cross join lateral (values
    (0::smallint, date_trunc('minute', s.time)), (1::smallint, date_trunc('hour', s.time)),
    (2::smallint, date_trunc('day', s.time)), (3::smallint, date_trunc('month', s.time))
  ) f(frame, start)`

/** Blobs that belong to at least one rollup that is shown, each once. */
const ROLLUP_BLOBS = `
  select b.height, count(*) as count, sum(b.size) as size, sum(b.fee) as fee
  from (select distinct blob_id from blob_rollup where rollup_id in (select id from rollup where verified)) k
  join blob b on b.height = (k.blob_id >> 24)::integer and b.id = k.blob_id
  group by b.height`

const BLOCKS = `
  select b.*, coalesce(l.fee, 0) as blobs_fee, coalesce(r.count, 0) as rollup_count, coalesce(r.size, 0) as rollup_size,
         coalesce(r.fee, 0) as rollup_fee, coalesce(t.timeout_height, 0) as timeout_height,
         case when b.block_time > 0 then b.tx_count::float8 / (b.block_time::float8 / 1000) else 0 end as tps,
         case when b.block_time > 0 then b.blobs_size::float8 / (b.block_time::float8 / 1000) else 0 end as bps
  from block b
  left join (select height, sum(fee) as fee from blob group by height) l using (height)
  left join (${ROLLUP_BLOBS}) r using (height)
  left join (select height, sum(timeout_height) as timeout_height from tx group by height) t using (height)`

const sum = (column: string) => `sum(s.${column})`
const ofRollups = (column: string) => `coalesce(sum(s.${column}) filter (where f.frame > 0), 0)`

/** How each column of a bucket is counted again: a column without its recount does not compile. */
export const BLOCK_RECOUNTS: Record<Exclude<keyof BlockBucketRow, 'frame' | 'time'>, string> = {
  blocks: 'count(*)',
  days: `count(distinct date_trunc('day', s.time))`,
  tx_count: sum('tx_count'),
  messages_count: sum('messages_count'),
  events_count: sum('events_count'),
  tx_events_count: sum('tx_events_count'),
  blobs_count: sum('blobs_count'),
  blobs_size: sum('blobs_size'),
  blobs_fee: sum('blobs_fee'),
  rollup_blobs_count: ofRollups('rollup_count'),
  rollup_blobs_size: ofRollups('rollup_size'),
  rollup_blobs_fee: ofRollups('rollup_fee'),
  block_time: sum('block_time'),
  bytes_in_block: sum('bytes_in_block'),
  gas_limit: sum('gas_limit'),
  gas_used: sum('gas_used'),
  fee: sum('fee'),
  timeout_height: sum('timeout_height'),
  supply_change: sum('supply_change'),
  inflation_rate: sum('inflation_rate'),
  rewards: sum('rewards'),
  commissions: sum('commissions'),
  tps_max: 'max(s.tps)',
  tps_min: 'min(s.tps)',
  bps_max: 'max(s.bps)',
  bps_min: 'min(s.bps)',
}

export const BLOCK_BUCKETS = `
  select f.frame, f.start as time, ${Object.entries(BLOCK_RECOUNTS)
    .map(([column, recount]) => `${recount} as ${column}`)
    .join(', ')}
  ${framedForBlocks(BLOCKS)}
  group by 1, 2`

const extremesOf = (columns: string[], prefix = '') =>
  columns.map((column) => `min(s.${column}) as ${prefix}${column}_min, max(s.${column}) as ${prefix}${column}_max`).join(', ')

export const EXTREME_BUCKETS = `
  select *
  from (select f.frame, f.start as time, ${extremesOf(Object.keys(BLOCK_EXTREMES))} ${framedForBlocks('select * from block')} group by 1, 2) b
  left join (select f.frame, f.start as time, ${extremesOf(
    Object.keys(TX_EXTREMES).map((column) => column.replace(/^tx_/, '')),
    'tx_',
  )} ${framedForBlocks('select * from tx')} group by 1, 2) t
    using (frame, time)`

export const MESSAGE_BUCKETS = `
  select date_trunc('hour', time) as time, type, count(*) as count
  from message
  group by 1, 2`

const SIZE_RANGES = [
  'size <= 1000',
  'size > 1000 and size <= 10000',
  'size > 10000 and size <= 100000',
  'size > 100000 and size <= 1000000',
  'size > 1000000',
]

export const BLOB_SIZE_BUCKETS = `
  select date_trunc('hour', time) as time,
         ${SIZE_RANGES.map((range, i) => `count(*) filter (where ${range}) as count_${i + 1}, coalesce(sum(size) filter (where ${range}), 0) as size_${i + 1}`).join(', ')}
  from blob
  group by 1`

export const SQUARE_BUCKETS = `
  select date_trunc('day', time) as time, square_size, count(*) as blocks
  from block
  group by 1, 2`

/** `blocks`: which of them, as a condition. */
export const signatureBuckets = (blocks: string) => `
  select t.frame, t.time, coalesce(c.signed, '{}') as signed
  from (select distinct f.frame, f.start as time ${framed(`select time from block where ${blocks}`)} where f.frame < 3) t
  left join (
    select n.frame, n.time, array_agg(n.signed order by n.id) as signed
    from (
      select s.*, max(s.id) filter (where s.signed > 0) over (partition by s.frame, s.time) as last_id
      from (
        select f.frame, f.start as time, v.id,
               sum(case when v.id < octet_length(s.signers) * 8 then get_bit(s.signers, v.id::bigint) else 0 end)::integer as signed
        ${framed(`select time, signers from block where ${blocks}`)}
        cross join validator v
        where f.frame < 3
        group by 1, 2, 3
      ) s
    ) n
    where n.id <= n.last_id
    group by 1, 2
  ) c using (frame, time)`

export const SIGNATURE_BUCKETS = signatureBuckets('true')

export const NAMESPACE_BUCKETS = `
  select s.namespace_id, f.frame, f.start as time, sum(s.size) as size, sum(s.blobs) as blobs_count, sum(s.pfbs) as pfb_count
  ${framed(
    hourly(
      'namespace_id',
      ['size', 'blobs', 'pfbs'],
      `select namespace_id, (message_id >> 24)::integer as height, sum(size) as size, 0 as blobs, count(*) as pfbs
       from message_namespace
       group by 1, 2
       union all
       select namespace_id, height, 0, count(*), 0 from blob group by 1, 2`,
    ),
  )}
  group by 1, 2, 3`

export const ADDRESS_BUCKETS = `
  select s.address_id, f.frame, f.start as time, sum(s.txs) as tx_count, sum(s.gas_wanted) as gas_wanted, sum(s.gas_used) as gas_used,
         sum(s.fee) as fee
  ${framed(
    hourly(
      'address_id',
      ['txs', 'gas_wanted', 'gas_used', 'fee'],
      `select k.address_id, t.height, 1 as txs, t.gas_wanted, t.gas_used, t.fee
       from signer k
       join tx t on t.height = (k.tx_id >> 24)::integer and t.id = k.tx_id
       where t.hash is not null`,
    ),
  )}
  group by 1, 2, 3`

const ROLLUP_LINKS = `
  select k.rollup_id, b.time, b.size, b.fee, b.message_id, b.namespace_id
  from blob_rollup k
  join blob b on b.height = (k.blob_id >> 24)::integer and b.id = k.blob_id`

export const ROLLUP_BUCKETS = `
  select s.rollup_id, f.frame, f.start as time, sum(s.blobs) as blobs_count, sum(s.size) as size, sum(s.fee) as fee,
         sum(s.pfbs) as pfb_count
  ${framed(
    hourly(
      'rollup_id',
      ['blobs', 'size', 'fee', 'pfbs'],
      `select k.rollup_id, b.height, count(*) as blobs, sum(b.size) as size, sum(b.fee) as fee, count(distinct b.message_id) as pfbs
       from blob_rollup k
       join blob b on b.height = (k.blob_id >> 24)::integer and b.id = k.blob_id
       group by 1, 2`,
    ),
  )}
  group by 1, 2, 3`

export const ROLLUP_NAMESPACES = `
  select namespace_id, rollup_id, count(*) as blobs_count, sum(size) as size, max(time) as last_time
  from (${ROLLUP_LINKS}) s
  group by 1, 2`

export const STAKING_BUCKETS = `
  select s.validator_id, f.frame, f.start as time,
         coalesce(sum(s.amount) filter (where s.type = 'delegation'), 0) as delegations,
         coalesce(-sum(s.amount) filter (where s.type = 'unbonding'), 0) as unbondings,
         count(*) filter (where s.type = 'delegation' and s.amount > 0) as delegations_count,
         count(*) filter (where s.type = 'unbonding' and s.amount < 0) as unbondings_count
  ${framed(`select validator_id, time, type, amount from staking_log where type in ('delegation', 'unbonding')`)}
  group by 1, 2, 3`

const transfers = (owner: string, sends: string, table: string) => `
  select s.owner as ${owner}, f.frame, f.start as time,
         coalesce(sum(s.amount) filter (where s.sends and s.denom = 'utia'), 0) as sent,
         coalesce(sum(s.amount) filter (where not s.sends and s.denom = 'utia'), 0) as received,
         count(*) filter (where s.sends) as sent_count, count(*) filter (where not s.sends) as received_count
  ${framed(`select ${owner}::text as owner, direction = '${sends}' as sends, amount, denom, time from ${table}`)}
  group by 1, 2, 3`

export const IBC_BUCKETS = transfers('channel_id', 'out', 'ibc_transfer')
export const HYPERLANE_BUCKETS = transfers('domain', 'send', 'hl_transfer')
