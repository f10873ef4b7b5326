-- Written by the indexer, in the commit of the block; recomputed by `audit`. Read by the API.
-- Time series: buckets that change in the commit of each block and are undone with it (undo log). `audit` recomputes them (I9).
-- A bucket is named by its start in UTC. frame: 1 hour, 2 day, 3 month; weeks are read from days, years from months: a constant
-- factor of buckets to add up, and half the rows to touch per block. Blocks alone have frame 0, a minute, too: for tps, and
-- because a period may end anywhere and what no bucket covers is read block by block. Empty buckets have no row.

-- Sums over the blocks of a bucket.
create table block_bucket (
  frame               smallint not null,
  time                timestamptz not null,
  blocks              bigint not null,
  days                integer not null,
  tx_count            bigint not null,
  messages_count      bigint not null,
  events_count        bigint not null,
  tx_events_count     bigint not null,
  blobs_count         bigint not null,
  blobs_size          bigint not null,
  blobs_fee           numeric not null,
  rollup_blobs_count  bigint not null,
  rollup_blobs_size   bigint not null,
  rollup_blobs_fee    numeric not null,
  block_time          bigint not null,
  bytes_in_block      bigint not null,
  gas_limit           numeric not null,
  gas_used            numeric not null,
  fee                 numeric not null,
  timeout_height      numeric not null,
  supply_change       numeric not null,
  inflation_rate      numeric not null,
  rewards             numeric not null,
  commissions         numeric not null,
  tps_max             double precision not null,
  tps_min             double precision not null,
  bps_max             double precision not null,
  bps_min             double precision not null,
  primary key (frame, time)
);
comment on column block_bucket.days is 'days with blocks: what a month is divided by for values per second';
comment on column block_bucket.events_count is 'block-level events; those of txs are in tx_events_count';
comment on column block_bucket.timeout_height is 'sum over txs, for their average';
comment on column block_bucket.inflation_rate is 'sum over blocks, for their average';
comment on column block_bucket.rollup_blobs_size is 'blobs that belong to at least one verified rollup, each once; not kept by the minute';
comment on column block_bucket.tps_max is 'extreme of tx_count / (block_time / 1000) over the blocks; 0 for one that took no time';

-- Extremes of single blocks and txs, for /stats/summary. Touched only when a block brings a new one.
create table extreme_bucket (
  frame                 smallint not null,
  time                  timestamptz not null,
  tx_count_min          bigint not null,
  tx_count_max          bigint not null,
  events_count_min      bigint not null,
  events_count_max      bigint not null,
  blobs_count_min       bigint not null,
  blobs_count_max       bigint not null,
  blobs_size_min        bigint not null,
  blobs_size_max        bigint not null,
  block_time_min        bigint not null,
  block_time_max        bigint not null,
  bytes_in_block_min    bigint not null,
  bytes_in_block_max    bigint not null,
  gas_limit_min         numeric not null,
  gas_limit_max         numeric not null,
  gas_used_min          numeric not null,
  gas_used_max          numeric not null,
  fee_min               numeric not null,
  fee_max               numeric not null,
  supply_change_min     numeric not null,
  supply_change_max     numeric not null,
  inflation_rate_min    numeric not null,
  inflation_rate_max    numeric not null,
  rewards_min           numeric not null,
  rewards_max           numeric not null,
  commissions_min       numeric not null,
  commissions_max       numeric not null,
  tx_gas_wanted_min     numeric,
  tx_gas_wanted_max     numeric,
  tx_gas_used_min       numeric,
  tx_gas_used_max       numeric,
  tx_fee_min            numeric,
  tx_fee_max            numeric,
  tx_timeout_height_min numeric,
  tx_timeout_height_max numeric,
  tx_events_count_min   bigint,
  tx_events_count_max   bigint,
  tx_messages_count_min bigint,
  tx_messages_count_max bigint,
  primary key (frame, time)
);
comment on column extreme_bucket.tx_fee_min is 'tx_* are null in a bucket without txs';

-- Messages by type, per hour.
create table message_bucket (
  time  timestamptz not null,
  type  smallint not null,
  count bigint not null,
  primary key (time, type)
);

-- Blobs by size, per hour: up to 10^3, 10^4, 10^5, 10^6 bytes, and above.
create table blob_size_bucket (
  time    timestamptz primary key,
  count_1 bigint not null,
  size_1  bigint not null,
  count_2 bigint not null,
  size_2  bigint not null,
  count_3 bigint not null,
  size_3  bigint not null,
  count_4 bigint not null,
  size_4  bigint not null,
  count_5 bigint not null,
  size_5  bigint not null
);

-- Blocks by square size, per day.
create table square_bucket (
  time        timestamptz not null,
  square_size integer not null,
  blocks      integer not null,
  primary key (time, square_size)
);

create table namespace_bucket (
  namespace_id integer not null,
  frame        smallint not null,
  time         timestamptz not null,
  size         bigint not null,
  blobs_count  bigint not null,
  pfb_count    bigint not null,
  primary key (namespace_id, frame, time)
);

-- Txs that an account signed.
create table address_bucket (
  address_id integer not null,
  frame      smallint not null,
  time       timestamptz not null,
  tx_count   bigint not null,
  gas_wanted numeric not null,
  gas_used   numeric not null,
  fee        numeric not null,
  primary key (address_id, frame, time)
);

create table rollup_bucket (
  rollup_id   integer not null,
  frame       smallint not null,
  time        timestamptz not null,
  blobs_count bigint not null,
  size        bigint not null,
  fee         numeric not null,
  pfb_count   bigint not null,
  primary key (rollup_id, frame, time)
);
create index rollup_bucket_time_idx on rollup_bucket (frame, time);   -- all rollups over the last 24 h, month, year

-- Namespaces that a rollup has used, and when last: the day board counts those of the last 24 hours.
create table rollup_namespace (
  namespace_id integer not null,
  rollup_id    integer not null,
  blobs_count  bigint not null,
  size         bigint not null,
  last_time    timestamptz not null,
  primary key (namespace_id, rollup_id)
);
create index rollup_namespace_rollup_idx on rollup_namespace (rollup_id, last_time);

-- Stake that came to and left a validator. A redelegation leaves one and comes to the other; a cancelled
-- unbonding is taken off the unbondings (not off their count) in the bucket in which it is cancelled.
create table staking_bucket (
  validator_id      integer not null,
  frame             smallint not null,
  time              timestamptz not null,
  delegations       numeric not null,
  unbondings        numeric not null,
  delegations_count bigint not null,
  unbondings_count  bigint not null,
  primary key (validator_id, frame, time)
);

-- A validator's stake at the end of a month (so far, for the running one); months in which it did not change have no row.
create table stake_month (
  validator_id integer not null,
  time         timestamptz not null,
  stake        numeric not null,
  primary key (validator_id, time)
);

-- What a validator had earned before a bucket in which it earned something. The bucket's own value is the difference to the next mark,
-- or to the present total: a block then costs no row per validator, only the first block of an hour does.
create table reward_mark (
  validator_id integer not null,
  frame        smallint not null,
  time         timestamptz not null,
  rewards      numeric not null,
  commissions  numeric not null,
  primary key (validator_id, frame, time)
);
comment on column reward_mark.commissions is 'all commissions ever earned: validator.commissions + commission_withdrawn.amount';

create table commission_withdrawn (
  validator_id integer primary key,
  amount       numeric not null
);

-- Transfers by channel. Amounts count utia only: sums over denominations mean nothing.
create table ibc_bucket (
  channel_id     text not null,
  frame          smallint not null,
  time           timestamptz not null,
  sent           numeric not null,
  received       numeric not null,
  sent_count     bigint not null,
  received_count bigint not null,
  primary key (channel_id, frame, time)
);
create index ibc_bucket_time_idx on ibc_bucket (frame, time);         -- the busiest channel

-- Transfers by domain of the other chain; text because a domain takes 32 bits without sign.
create table hl_bucket (
  domain         text not null,
  frame          smallint not null,
  time           timestamptz not null,
  sent           numeric not null,
  received       numeric not null,
  sent_count     bigint not null,
  received_count bigint not null,
  primary key (domain, frame, time)
);
create index hl_bucket_time_idx on hl_bucket (frame, time);           -- all chains together
