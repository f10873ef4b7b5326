-- Written by every API process (subscriptions), the one that holds the lease of a network (positions, deliveries, trail). Read by every API process.
-- Webhooks: what callers subscribed to, how far each subscription has got, and what was sent. One set per database, for all networks.

create table webhook (
  id               text primary key,
  network          text not null,
  -- the owner: all keys of an account see the same subscriptions
  account          text not null,
  url              text not null,
  description      text not null,
  events           text[] not null,
  filters          jsonb not null,
  secret           bytea not null,
  old_secret       bytea,
  old_secret_until timestamptz,
  state            text not null check (state in ('active', 'paused')),
  paused_reason    text,
  height           integer not null,
  epoch            integer not null default 1,
  failures         integer not null default 0,
  failing_since    timestamptz,
  next_attempt_at  timestamptz,
  last_error       text,
  last_success_at  timestamptz,
  created_at       timestamptz not null default now()
);
create index webhook_account_idx on webhook (account, network, created_at); -- subscriptions of an account, oldest first
create index webhook_network_idx on webhook (network) where state = 'active'; -- what a deliverer works on
comment on column webhook.secret is 'sealed with AES-256-GCM under a key derived from the pepper of the API keys';
comment on column webhook.height is 'everything up to this height was delivered, or did not match';
comment on column webhook.epoch is 'moved when the height is set back, by the owner or by a fork: a deliverer that knows an older one writes nothing';

create table webhook_delivery (
  number       bigint generated always as identity primary key,
  webhook_id   text not null references webhook (id) on delete cascade,
  id           text not null,
  epoch        integer not null,
  type         text not null,
  height       integer not null,
  position     integer not null,
  data         jsonb,
  state        text not null check (state in ('pending', 'delivered', 'reverted')),
  attempts     integer not null default 0,
  status       integer,
  error        text,
  duration_ms  integer,
  created_at   timestamptz not null default now(),
  attempted_at timestamptz
);
comment on column webhook_delivery.data is 'only of events that the chain does not hold, such as reverted';
create unique index webhook_delivery_event_idx on webhook_delivery (webhook_id, id) where state <> 'reverted'; -- one row per event that stands
create index webhook_delivery_list_idx on webhook_delivery (webhook_id, number); -- deliveries of a subscription, newest first
create index webhook_delivery_height_idx on webhook_delivery (height);          -- what a fork takes back
create index webhook_delivery_created_idx on webhook_delivery (created_at);     -- deleted when old

-- The branch that was sent, block by block near the head: a fork is measured against it.
create table webhook_trail (
  network text not null,
  height  integer not null,
  hash    bytea not null,
  primary key (network, height)
);

-- Which process delivers. It is renewed every few seconds; one that is silent loses it.
create table webhook_lease (
  network text primary key,
  holder  text not null,
  until   timestamptz not null
);
