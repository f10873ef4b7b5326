-- Written by `partitions`, and the indexer, which makes partitions ahead and writes hashes in the commit of the block. Read by the indexer and the API.
-- `tx`, `message` and `block_txs` can be cut into partitions by height (`astrolabe partitions make`). Both tables here are empty until then.

-- How the tables are cut, in one row. A partition is named after its table and its first height. No primary key: it says nothing about the
-- chain, so comparisons of indexes leave it out.
create table partitioning (
  is_active boolean not null,
  heights   integer not null,
  first_end integer not null,
  made_to   integer not null,
  kept_from integer not null,
  hashed_to integer not null
);
create unique index partitioning_one_idx on partitioning ((true));
comment on column partitioning.is_active is 'false while the tables are being prepared';
comment on column partitioning.heights is 'of every partition but the first';
comment on column partitioning.first_end is 'first height behind the first partition, which holds all rows that were there before';
comment on column partitioning.made_to is 'first height without a partition';
comment on column partitioning.kept_from is 'partitions of lower heights were detached';
comment on column partitioning.hashed_to is 'lower heights are in tx_hash';

-- Txs by hash where `tx` is partitioned: an index of each partition would have to be asked in turn.
create table tx_hash (
  id     bigint not null,
  height integer not null,
  hash   bytea not null
);
create index tx_hash_hash_idx on tx_hash using hash (hash);           -- tx by hash
create index tx_hash_height_idx on tx_hash using brin (height) with (pages_per_range = 32);  -- rollback
