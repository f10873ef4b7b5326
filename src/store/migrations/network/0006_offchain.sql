-- Written by the off-chain sources, in the process of the indexer. Read by the API.
-- Data from outside the chain: written by the pollers, read by the API, never touched by a block or a rollback (I11).
-- Nothing here refers to a chain table: a name or relayer may be known before the chain has seen its address.

create table celestial (
  id        text primary key,
  address   bytea not null,
  image_url text not null,
  change_id bigint not null,
  status    text not null check (status in ('NOT_VERIFIED', 'VERIFIED', 'PRIMARY'))
);
comment on column celestial.id is 'the name; change_id is that of its last change';
create index celestial_address_idx on celestial (address, change_id);                               -- names of an address, last change first
create unique index celestial_primary_idx on celestial (address) where status = 'PRIMARY';          -- the name shown beside an address

create table price (
  timeframe text not null check (timeframe in ('1m', '1h', '1d')),
  time      timestamptz not null,
  open      numeric not null,
  high      numeric not null,
  low       numeric not null,
  close     numeric not null,
  primary key (timeframe, time)
);

-- Documents that are replaced as a whole: `relayers` (IBC relayers by signer) and `hyperlane` (chain metadata by domain).
create table registry (
  name       text primary key,
  document   jsonb not null,
  updated_at timestamptz not null
);
