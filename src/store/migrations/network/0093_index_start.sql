-- Written by the indexer, with the pseudo-block that an index begins with. Read by the indexer, the API and `audit`.
-- Where an index begins: the height below its first block, and whether the state after that height was known. Written once.
create table index_start (
  one         boolean primary key default true check (one),
  base_height integer not null,
  has_state   boolean not null
);

-- Every index so far began with a genesis or an exported state, which stands as a pseudo-block at that height.
insert into index_start (base_height, has_state)
select min(height), true from block having count(*) > 0;
