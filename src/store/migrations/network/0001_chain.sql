-- Written by the indexer, by COPY in the commit of the block; removed by height on a rollback. Read by the API.
-- The chain itself: append-only rows, written by COPY, removed by height on a rollback.
-- Ids are height * 2^24 + position (genesis: position + 1): no sequences, a rebuild gives the same ids.
-- Every primary key starts with height (or with the owner of a link) so that the tables can be spread over a cluster by it.
-- Packed columns (events, ods, signers) hold our own compact forms; they are only read by block or tx and are not compressed again.

create table block (
  height               integer primary key,
  time                 timestamptz not null,
  version_block        bigint not null,
  version_app          bigint not null,
  hash                 bytea not null,
  parent_hash          bytea not null,
  last_commit_hash     bytea not null,
  data_hash            bytea not null,
  validators_hash      bytea not null,
  next_validators_hash bytea not null,
  consensus_hash       bytea not null,
  app_hash             bytea not null,
  last_results_hash    bytea not null,
  evidence_hash        bytea not null,
  message_types        smallint[] not null,
  tx_count             integer not null,
  messages_count       integer not null,
  events_count         integer not null,
  tx_events_count      integer not null,
  blobs_count          integer not null,
  blobs_size           bigint not null,
  gas_limit            bigint not null,
  gas_used             bigint not null,
  fee                  numeric not null,
  supply_change        numeric not null,
  inflation_rate       numeric not null,
  rewards              numeric not null,
  commissions          numeric not null,
  bytes_in_block       bigint not null,
  square_size          integer not null,
  gas_slow             double precision not null,
  gas_median           double precision not null,
  gas_fast             double precision not null,
  ods                  bytea not null,
  events               bytea not null,
  -- filled by the writer: they need ids or the block before
  proposer_id          integer,
  block_time           bigint not null,
  signers              bytea not null
);
alter table block alter column events set storage external, alter column ods set storage external, alter column signers set storage external;
create index block_time_idx on block (time);                          -- from/to of every list, turned into heights
create index block_hash_idx on block using hash (hash);               -- search by block hash
create index block_data_hash_idx on block using hash (data_hash);     -- search by data hash
create index block_proposer_idx on block (proposer_id, height);       -- blocks of a validator

comment on column block.signers is 'validators that signed height - 1: bit i of the little-endian bitmap = validator id i';
comment on column block.block_time is 'milliseconds since the block before';

create table tx (
  height         integer not null,
  id             bigint not null,
  time           timestamptz not null,
  hash           bytea,
  gas_wanted     bigint not null,
  gas_used       bigint not null,
  fee            numeric not null,
  fee_other      text,
  timeout_height numeric not null,
  memo           text,
  success        boolean not null,
  code           bigint not null,
  codespace      text,
  error          text,
  messages_count integer not null,
  events_count   integer not null,
  blobs_count    integer not null,
  message_types  smallint[] not null,
  events         bytea not null,
  raw            bytea,
  signer_ids     integer[] not null,
  primary key (height, id)
);
alter table tx alter column events set storage external, alter column raw set storage external;
create index tx_hash_idx on tx using hash (hash);                     -- tx by hash
create index tx_failed_idx on tx (height, id) where not success;      -- lists with status=failed

comment on column tx.raw is 'the bytes of the block, kept only when they could not be decoded';

create table message (
  height   integer not null,
  id       bigint not null,
  tx_id    bigint not null,
  time     timestamptz not null,
  position integer not null,
  type     smallint not null,
  type_url text,
  size     integer not null,
  value    bytea not null,
  primary key (height, id)
);
comment on column message.type_url is 'only when it is not the canonical one of the type';
comment on column message.value is 'the encoded message; its JSON is decoded when read, so a codec can be mended without indexing again';
create index message_tx_idx on message (tx_id, id);                   -- messages of a tx

-- Lists of txs by message type: the page is found here, the rows are fetched after.
create table tx_message_type (
  type  smallint not null,
  tx_id bigint not null,
  primary key (type, tx_id)
);

create table blob (
  height       integer not null,
  id           bigint not null,
  time         timestamptz not null,
  tx_id        bigint not null,
  message_id   bigint not null,
  position     integer not null,
  size         integer not null,
  share_version smallint not null,
  commitment   bytea not null,
  content_type text not null,
  fee          numeric not null,
  namespace_id integer not null,
  signer_id    integer not null,
  primary key (height, id)
);
comment on column blob.position is 'index of the blob in its tx';
create index blob_namespace_idx on blob (namespace_id, id);           -- blobs of a namespace by time
create index blob_signer_idx on blob (signer_id, id);                 -- blobs of an address
create index blob_size_idx on blob (size, id);                        -- GET /v1/blob?sort_by=size
create index blob_namespace_size_idx on blob (namespace_id, size, id);-- blobs of a namespace by size
create index blob_commitment_idx on blob using hash (commitment);     -- filter and lookup by commitment

-- Links, ordered for the list that reads them.
create table signer (
  address_id integer not null,
  tx_id      bigint not null,
  primary key (address_id, tx_id)
);
create table message_address (
  address_id integer not null,
  message_id bigint not null,
  role       smallint not null,
  primary key (address_id, message_id, role)
);
create table message_namespace (
  namespace_id integer not null,
  message_id   bigint not null,
  size         bigint not null,
  primary key (namespace_id, message_id)
);
create table message_validator (
  validator_id integer not null,
  message_id   bigint not null,
  primary key (validator_id, message_id)
);
create table blob_rollup (
  rollup_id integer not null,
  blob_id   bigint not null,
  primary key (rollup_id, blob_id)
);

create table jail (
  height       integer not null,
  id           bigint not null,
  validator_id integer not null,
  time         timestamptz not null,
  reason       text not null,
  burned       numeric not null,
  primary key (height, id)
);
create index jail_validator_idx on jail (validator_id, id);           -- jails of a validator

-- Stake that moved, one row per movement. Rewards and commissions of a block are in its packed events, their sums in the series.
create table staking_log (
  height       integer not null,
  id           bigint not null,
  validator_id integer not null,
  address_id   integer,
  type         text not null,
  amount       numeric not null,
  time         timestamptz not null,
  primary key (height, id)
);

-- Previous values of every mutable row a height changed, newest heights only.
create table undo (
  height  integer primary key,
  payload bytea not null
);
alter table undo alter column payload set storage external;
