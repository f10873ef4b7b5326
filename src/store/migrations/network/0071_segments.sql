-- Written by the indexer. Read by the API.
-- Bulky bytes of heights that are final move into segment files (setting `storage.segments`). Null in `block.events`, `tx.events` and
-- `message.value` means: they are in the segment that covers the height.
alter table block alter column events drop not null;
alter table tx alter column events drop not null;
alter table message alter column value drop not null;

create table segment (
  first_height integer primary key,
  last_height  integer not null,
  key          text not null,
  bytes        bigint not null,
  index_at     bigint not null,
  sha256       bytea not null
);
comment on column segment.key is 'name of the object in the folder or bucket';
comment on column segment.index_at is 'where its index begins, in bytes; it reaches to the end';

-- Txs of blocks that are in no segment yet: with them contents and proofs of blobs need no node.
create table block_txs (
  height integer primary key,
  txs    bytea not null
);
alter table block_txs alter column txs set storage external;
