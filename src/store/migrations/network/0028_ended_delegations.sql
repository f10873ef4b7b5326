-- Written by the indexer, in the commit of the block; a rollback writes the old rows. Read by the indexer and the API.
-- Delegations of which nothing is left: `show_zero` lists them too. One that begins again leaves the table.
create table ended_delegation (
  address_id   integer not null,
  validator_id integer not null,
  primary key (address_id, validator_id)
);
create index ended_delegation_validator_idx on ended_delegation (validator_id, address_id);  -- GET /v1/validators/:id/delegators?show_zero=true
insert into ended_delegation
select distinct address_id, validator_id from staking_log where type = 'delegation' and address_id is not null
except select address_id, validator_id from delegation;
