-- Written by the indexer, in the commit of the block; a rollback writes the old rows of keys and deletes changes by height. Read by the API.
-- The validator set of every height, for proofs of blocks: each change of a power, by the height whose results state it (0: genesis). It counts
-- two heights later. Rows are short because there is one for nearly every delegation; the keys stand once in a table of their own.
create table consensus_key (
  public_key bytea primary key,
  id         integer not null unique
);
create table consensus_power (
  height integer not null,
  key_id integer not null,
  power  bigint not null
);
create index consensus_power_key_idx on consensus_power (key_id, height);
create index consensus_power_height_idx on consensus_power using brin (height);
