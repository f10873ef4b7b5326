-- Written by the indexer, in the commit of the block; a rollback writes the old rows. Read by the indexer.
-- What the next block is checked against: the hash over the results of the last block (null: not known, as for a genesis and after this migration), and
-- the validators that sign the next height (power) and the one after it (next_power). 0: not in that set.
alter table head add column results_hash bytea;
create table consensus_validator (
  address    bytea primary key,
  public_key bytea not null,
  power      numeric not null,
  next_power numeric not null
);
