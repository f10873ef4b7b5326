-- Written by the indexer, in the commit of the block; a rollback writes the old rows. Read by the indexer.
-- What is under way is kept on the chain's own terms: grants of open proposals, and when a validator and what moves away from it while it
-- leaves the set began to leave.

-- Authorizations and fee allowances that open proposals would grant; accounts are bytes, they need not exist yet.
create table proposal_grant (
  proposal_id integer not null,
  position    integer not null,
  granter     bytea not null,
  grantee     bytea not null,
  "authorization" text not null,
  expiration  timestamptz,
  params      jsonb not null,
  primary key (proposal_id, position)
);

alter table validator_power add column left_height integer;
alter table validator_power add column left_time timestamptz;
alter table redelegation add column begin_height integer;
alter table redelegation add column begin_time timestamptz;
