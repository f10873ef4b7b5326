-- Written by the indexer, by COPY in the commit of the block; removed by height on a rollback, and when the height is in a segment. Read by the API.
-- With segments, bulky bytes are written beside their rows from the start: moving them into a segment then changes no row of `block`, `tx`
-- or `message`, whose indexes would have to follow. Null in a row means: they are here, or in the segment that covers the height.
create table unsealed (
  height integer not null,
  kind   smallint not null,
  id     bigint not null,
  bytes  bytea not null,
  primary key (height, kind, id)
);
comment on column unsealed.kind is '0 events of a block, 1 events of a tx, 2 value of a message';
comment on column unsealed.id is 'of the tx or message; 0 for a block';
-- Rows do not stay long: up to a page of bytes is not worth a second table.
alter table unsealed alter column bytes set storage external;
alter table unsealed set (toast_tuple_target = 8160);
