-- Written by `rollups`, the operator's API and the off-chain source `rollups`; `rollup_stats` by the indexer. Read by the indexer and the API.
-- Curated rollups (operator data) and what the chain says about them. A blob belongs to a verified rollup when one of its providers
-- matches signer and namespace (null = any); it counts once per rollup.

create table rollup (
  id          integer primary key,
  name        text not null,
  slug        text not null unique,
  description text not null default '',
  website     text not null default '',
  github      text not null default '',
  twitter     text not null default '',
  logo        text not null default '',
  l2_beat     text not null default '',
  defi_lama   text not null default '',
  bridge      text not null default '',
  explorer    text not null default '',
  stack       text not null default '',
  compression text not null default '',
  provider    text not null default '',
  vm          text not null default '',
  settled_on  text not null default '',
  color       text not null default '',
  type        text not null default 'other',
  category    text not null default 'uncategorized',
  tags        text[] not null default '{}',
  links       text[] not null default '{}',
  verified    boolean not null default false
);

-- Providers are kept by bytes: an address or namespace may be registered before the chain has seen it.
create table rollup_provider (
  rollup_id integer not null references rollup (id) on delete cascade,
  position  integer not null,
  address   bytea,
  namespace bytea,
  check (address is not null or namespace is not null),
  primary key (rollup_id, position)
);

-- Maintained with each block for verified rollups, back-filled when a rollup is registered or verified.
create table rollup_stats (
  rollup_id          integer primary key,
  blobs_count        bigint not null,
  size               bigint not null,
  fee                numeric not null,
  pfb_count          bigint not null,
  first_message_time timestamptz not null,
  last_message_time  timestamptz not null
);
