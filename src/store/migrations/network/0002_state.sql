-- Written by the indexer, in the commit of the block; a rollback writes the old rows. Read by the indexer and the API.
-- State: one row per entity, changed in place under the undo log. Ids are given in order of first appearance on the chain.

create table head (
  one                boolean primary key default true check (one),
  chain_id           text not null,
  genesis_hash       bytea not null,
  last_height        integer not null,
  last_hash          bytea not null,
  last_time          timestamptz not null,
  version            bigint not null,
  total_tx           bigint not null,
  total_messages     bigint not null,
  total_events       bigint not null,
  total_accounts     integer not null,
  total_namespaces   integer not null,
  total_blobs        bigint not null,
  total_blobs_size   bigint not null,
  total_fee          numeric not null,
  total_validators   integer not null,
  total_proposals    integer not null,
  total_ibc_clients  integer not null,
  total_supply       numeric not null,
  total_voting_power numeric not null,
  total_vestings     integer not null,
  total_unknown_messages bigint not null,
  total_undecodable_txs  bigint not null,
  registry_version   integer not null default 0
);
comment on column head.registry_version is 'moved by a change of the rollup registry; a writer that linked blobs with another version starts over';

create table address (
  id            integer primary key,
  address       bytea not null unique,
  first_height  integer not null,
  last_height   integer not null,
  name          text,
  is_forwarding boolean not null default false,
  has_native    boolean not null,
  spendable     numeric not null,
  delegated     numeric not null,
  unbonding     numeric not null
);
comment on column address.has_native is 'the account held or moved utia at least once';
create index address_spendable_idx on address (spendable, id);        -- address list by balance
create index address_delegated_idx on address (delegated, id);
create index address_unbonding_idx on address (unbonding, id);
create index address_last_height_idx on address (last_height, id);

-- Denominations other than utia, which stands in the address row.
create table balance (
  address_id integer not null,
  denom      text not null,
  amount     numeric not null,
  primary key (address_id, denom)
);

create table supply (
  denom  text primary key,
  amount numeric not null
);

create table namespace (
  id                integer primary key,
  version           smallint not null,
  namespace_id      bytea not null,
  first_height      integer not null,
  last_height       integer not null,
  last_message_time timestamptz not null,
  size              bigint not null,
  blobs_count       bigint not null,
  pfb_count         bigint not null,
  reserved          boolean not null,
  unique (namespace_id, version)
);
create index namespace_size_idx on namespace (size, id);              -- namespace list by size, usage
create index namespace_pfb_count_idx on namespace (pfb_count, id);
create index namespace_time_idx on namespace (last_message_time, id);

create table validator (
  id                  integer primary key,
  operator_id         integer,
  delegator_id        integer,
  operator            bytea,
  cons_address        bytea not null,
  moniker             text not null,
  website             text not null,
  identity            text not null,
  contacts            text not null,
  details             text not null,
  rate                numeric not null,
  max_rate            numeric not null,
  max_change_rate     numeric not null,
  min_self_delegation numeric not null,
  stake               numeric not null,
  shares              numeric not null,
  rewards             numeric not null,
  commissions         numeric not null,
  jailed              boolean not null,
  bonded              boolean not null,
  version             bigint not null,
  messages_count      bigint not null,
  creation_time       timestamptz not null,
  first_height        integer not null
);
comment on column validator.shares is 'delegator shares, 18 digits; a delegation is worth trunc(shares * stake / shares of the validator)';
comment on column validator.bonded is 'in the active set: its tokens lie in the bonded pool';
create index validator_cons_address_idx on validator (cons_address);
create index validator_operator_idx on validator (operator);

create table delegation (
  validator_id integer not null,
  address_id   integer not null,
  shares       numeric not null,
  amount       numeric not null,
  primary key (validator_id, address_id)
);
create index delegation_address_idx on delegation (address_id, amount);            -- delegations of an address
create index delegation_amount_idx on delegation (validator_id, amount, address_id);-- delegators of a validator

create table undelegation (
  id              bigint primary key,
  validator_id    integer not null,
  address_id      integer not null,
  amount          numeric not null,
  initial_amount  numeric not null,
  height          integer not null,
  time            timestamptz not null,
  completion_time timestamptz not null
);
create index undelegation_address_idx on undelegation (address_id, amount);        -- open unbondings of an address

create table redelegation (
  id              bigint primary key,
  address_id      integer not null,
  source_id       integer not null,
  destination_id  integer not null,
  amount          numeric not null,
  shares          numeric not null,
  height          integer not null,
  time            timestamptz not null,
  completion_time timestamptz not null
);
create index redelegation_address_idx on redelegation (address_id, amount);        -- open redelegations of an address

create table constant (
  module text not null,
  name   text not null,
  value  text not null,
  primary key (module, name)
);

create table denom_metadata (
  base        text primary key,
  description text not null,
  display     text not null,
  name        text not null,
  symbol      text not null,
  uri         text not null,
  units       jsonb not null
);

create table authz_grant (
  id            bigint not null,
  granter_id    integer not null,
  grantee_id    integer not null,
  "authorization" text not null,
  expiration    timestamptz,
  params        jsonb not null,
  revoked       boolean not null,
  revoke_height integer,
  height        integer not null,
  time          timestamptz not null,
  primary key (granter_id, grantee_id, "authorization")
);
create index authz_grant_granter_idx on authz_grant (granter_id, id);  -- grants made by an address
create index authz_grant_grantee_idx on authz_grant (grantee_id, id);  -- grants where the address is grantee

create table vesting_account (
  id         integer primary key,
  address_id integer not null,
  type       text not null,
  amount     numeric not null,
  start_time timestamptz,
  end_time   timestamptz,
  tx_id      bigint,
  height     integer not null,
  time       timestamptz not null
);
create index vesting_account_address_idx on vesting_account (address_id, end_time);

create table vesting_period (
  vesting_id integer not null,
  position   integer not null,
  time       timestamptz not null,
  amount     numeric not null,
  primary key (vesting_id, position)
);
