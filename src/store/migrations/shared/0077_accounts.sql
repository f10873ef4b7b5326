-- Written by `keys`, every API process, the operator's API and the paid surface. Read by the first three.
-- Restrictions and successors of keys, and the log of every change of accounts, keys and the rollup registry.

alter table api_key
  -- lists of origins, client addresses, networks and operations; an absent list does not restrict
  add column restrictions jsonb not null default '{}',
  -- key that a rotation made in its place: a key is rotated once
  add column replaced_by text;

-- Rows are only added: no program changes or deletes them.
create table change_log (
  number     bigint generated always as identity primary key,
  at         timestamptz not null default clock_timestamp(),
  -- `command` is a person on the server, `client`, `operator` and `admin` are keys of that role, `payment` one that bought a plan
  actor_kind text not null,
  -- user of the operating system, id of the key, or key of the payment
  actor      text not null,
  action     text not null,
  account    text,
  key_id     text,
  -- values after the change; never the text of a key
  details    jsonb not null
);
create index change_log_account_idx on change_log (account, number);   -- changes of one account, newest first
