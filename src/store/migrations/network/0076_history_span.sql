-- Written by the indexer, in the commit of the block; a rollback writes the old row. Read by the API.
-- Which heights the history covers is written with every block: a writer of an older version may still be at work when tables are added,
-- and what it writes has no history.

create table history_span (
  one          boolean primary key default true check (one),
  first_height integer not null,
  last_height  integer not null
);
comment on column history_span.first_height is 'that of the first block of the index, or of the first one that was written with its changes';
insert into history_span (first_height, last_height)
select coalesce((select height from history_start), (select min(height) from block)), last_height from head;
drop table history_start;
