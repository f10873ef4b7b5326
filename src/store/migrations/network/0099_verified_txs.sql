-- Written by the indexer. Read by the indexer, the API, `status`, for readiness and metrics.
-- Heights whose txs were not compared with the data root of their header yet: everything below the lowest of them is verified. A height that cannot
-- be verified has a row of its own with the reason.
create table unverified (
  first_height integer not null,
  last_height  integer not null,
  trouble      text
);
create unique index unverified_first_idx on unverified (first_height);
comment on column unverified.trouble is 'the txs of this height are false and it could not be taken back';

-- Releases before this one compared only some: all heights are looked at once more.
insert into unverified (first_height, last_height)
select s.base_height + 1, h.last_height from head h cross join index_start s where h.last_height > s.base_height;

-- Written and read by the indexer.
-- Records of `undo` that left it, those of a range of heights together, the newest first: below the heights that can be taken back one by one the
-- index can be taken back to where a range begins.
create table undo_step (
  first_height integer not null,
  last_height  integer not null,
  payloads     bytea[] not null
);
create unique index undo_step_last_idx on undo_step (last_height);
alter table undo_step alter column payloads set storage external;
