-- Written by whoever changes the rollup registry, and the indexer. Read by the operator's list of rollups.
-- A rollup that is registered late gets its blobs in slices, so that the head is free meanwhile. It is verified, and shown, when it has all.
create table rollup_fill (
  rollup_id integer primary key references rollup (id) on delete cascade,
  next_id   bigint not null default 0
);
comment on column rollup_fill.next_id is 'blobs below it are linked';

-- What the filled blobs will add to `block_bucket`, once the rollups are shown: blobs of several rollups count once.
create table rollup_fill_total (
  frame       smallint not null,
  time        timestamptz not null,
  blobs_count bigint not null,
  size        bigint not null,
  fee         numeric not null,
  primary key (frame, time)
);
