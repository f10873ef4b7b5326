-- Written by the paid surface. Read by `pay report`.
-- The payment ledger, shared by all replicas of the paid surface. One row per authorization: it is what keeps a payer from being charged twice.
-- claimed -> broadcast -> settled -> delivered | failed. A row is removed when nothing was sent and the authorization may be used again.
-- Revenue = sum(amount) of settled and delivered rows = transfers to the recipient on the payment chain (`astrolabe pay report` compares them).

create table payment (
  -- chain:token:payer:nonce, lower case: the on-chain identity of an authorization (tempo: its challenge)
  key             text primary key,
  -- sha256 of the payment header: only its bearer may ask again for what it paid
  credential_hash bytea not null unique,
  -- sha256 of method, path and query: what was paid for
  fingerprint     bytea not null,
  idem_key        text,
  rail            text not null check (rail in ('mpp', 'x402')),
  method          text not null,
  operation       text not null,
  tier            text not null,
  amount          bigint not null check (amount >= 0),
  payer           text not null,
  recipient       text not null,
  challenge_id    text,
  chain_id        bigint not null,
  state           text not null check (state in ('claimed', 'broadcast', 'settled', 'delivered', 'failed')),
  -- who works on the row, and until when others must keep off; in the past: anyone may take over
  holder          uuid not null,
  lease_until     timestamptz not null,
  -- end of the authorization's validity: afterwards an unsent one can never be charged
  valid_before    timestamptz not null,
  -- signed transaction, kept before it is sent: any replica can send it again, and none has to sign another one
  settler         text,
  settler_nonce   bigint,
  raw_tx          bytea,
  tx_hash         text,
  gas_wei         numeric,
  failure         text,
  created_at      timestamptz not null default now(),
  broadcast_at    timestamptz,
  settled_at      timestamptz,
  delivered_at    timestamptz,
  -- the answer, only when an idempotency key asks for it, until the challenge's life is over
  response_status integer,
  response_type   text,
  response_body   bytea,
  response_until  timestamptz
);

-- An idempotency key belongs to its payer.
create unique index payment_idem_idx on payment (payer, idem_key) where idem_key is not null;
-- The background job's list: rows that are not over.
create index payment_open_idx on payment (lease_until) where state in ('claimed', 'broadcast', 'settled');
-- Stored answers to forget.
create index payment_response_idx on payment (response_until) where response_until is not null;
-- The report by day.
create index payment_settled_idx on payment (settled_at) where settled_at is not null;

-- Next transaction number of a key that pays gas: allocated here, so that replicas may share one key.
create table payment_settler (
  chain_id    bigint not null,
  address     text not null,
  next_nonce  bigint not null,
  -- numbers whose transaction the chain refused: used up first, a gap would hold back everything behind it
  free_nonces bigint[] not null default '{}',
  primary key (chain_id, address)
);
