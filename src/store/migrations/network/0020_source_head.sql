-- Written by the indexer, as it hears from its source. Read by the API and for metrics.
-- Where the source stands as the indexer last heard it: readers learn from it how far behind the index is. One row, which follows
-- from the moment and not from the chain; it has no primary key so that comparisons of indexes leave it out.
create table source_head (
  height  bigint not null,
  time    timestamptz not null,
  seen_at timestamptz not null
);
create unique index source_head_one_idx on source_head ((true));
