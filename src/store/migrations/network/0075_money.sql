-- Written by the indexer, by COPY in the commit of the block; removed on a rollback by the owners that the undo record names. Read by the API.
-- Money through time: every change of what an account has, and of the supply, with the amount after it. Rows are appended with their
-- block and removed with it. An index that is older than these tables begins with the next block: history_start says where.

-- What changes, why, and in which denomination: numbered in order of first appearance.
create table balance_change_type (
  id    integer not null unique,
  part  text not null check (part in ('spendable', 'delegated', 'unbonding', 'supply')),
  cause text not null,
  denom text not null,
  primary key (part, cause, denom)
);

-- In the order of the key: the changes of one account and type are one range, so a page, the last change before a height and a filter
-- by cause or denomination read no row that is not wanted.
create table balance_change (
  id         bigint not null,
  address_id integer not null,
  type_id    integer not null,
  tx         integer,
  amount     numeric not null,
  balance    numeric not null,
  primary key (address_id, type_id, id)
);
comment on column balance_change.address_id is '0: the supply of the chain';
comment on column balance_change.tx is 'position of the tx in the block; null for what the chain did outside of txs, and for module accounts, whose changes are summed over a block';
comment on column balance_change.balance is 'what the account has of it after the change, whatever the cause';

-- Stake of a validator: one row per block that changed it.
create table stake_change (
  id           bigint not null,
  validator_id integer not null,
  amount       numeric not null,
  stake        numeric not null,
  primary key (validator_id, id)
);

-- First height whose changes are kept; empty when that is the first of the index.
create table history_start (
  height integer primary key
);
insert into history_start select last_height + 1 from head;
