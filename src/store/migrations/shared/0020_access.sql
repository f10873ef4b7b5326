-- Written by `keys` (keys), every API process (usage, counters). Read by every API process.
-- API keys, what they used, and the shared counters of the limits. One set per database, for all networks.
-- A key itself is never stored: only its HMAC-SHA-256 under the server's pepper, and enough of its text to recognise it in a list.

create table api_key (
  id            text primary key,
  -- who is limited and counted: the keys of a rotation share it
  account       text not null,
  role          text not null check (role in ('client', 'operator', 'admin')),
  plan          text not null,
  label         text not null,
  -- arranged on request: the key also works on test networks whatever its plan says
  test_networks boolean not null,
  digest        bytea not null unique,
  prefix        text not null,
  last4         text not null,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz,
  revoked_at    timestamptz,
  -- when any of this changed last: servers read what is new since their last look
  changed_at    timestamptz not null default clock_timestamp()
);
create index api_key_changed_idx on api_key (changed_at);             -- changes since the last look
create index api_key_account_idx on api_key (account);                -- keys of an account, two of them active at most

create table api_usage (
  key_id   text not null,
  day      date not null,
  requests bigint not null,
  points   bigint not null,
  refused  bigint not null,
  primary key (key_id, day)
);
comment on column api_usage.points is 'cost of the requests that were served: 1 read, 2 list, 5 statistics, 10 export';

-- One token bucket and one day counter per account or client network. Servers take points in advance, in batches, so that no request
-- waits for this table. tokens(t) = min(burst, tokens + rate * (t - refilled_at)); below zero after points were used before they were asked for.
create table limit_bucket (
  account     text primary key,
  tokens      double precision not null,
  refilled_at timestamptz not null,
  day         date not null,
  used        double precision not null,
  granted     double precision not null
);
comment on column limit_bucket.account is 'an account, or the keyed hash of an address: no address of a caller is stored';
comment on column limit_bucket.granted is 'what the last request for points was given';
create index limit_bucket_refilled_idx on limit_bucket (refilled_at); -- forgotten when long unused

-- Which pepper the keys were stored under: a server with another one would refuse every key without anyone knowing why.
create table access_secret (
  name        text primary key,
  fingerprint bytea not null
);
