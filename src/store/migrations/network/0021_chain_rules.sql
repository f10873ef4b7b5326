-- Written by the indexer, in the commit of the block; a rollback writes the old rows. Read by the indexer.
-- Voting power of validators as of the end of the last block, which is what signals for an upgrade count by.
create table validator_power (
  validator_id integer primary key,
  power        numeric not null
);
insert into validator_power select id, floor(stake / 1000000) from validator where bonded;

-- Light clients that open proposals would recover, each with the client that stands in for it.
create table client_recovery (
  proposal_id   integer not null,
  client_id     text not null,
  substitute_id text not null,
  primary key (proposal_id, client_id)
);

-- Commissions that an exported chain brought along have fractions.
update commission_withdrawn set amount = round(amount, 18);
