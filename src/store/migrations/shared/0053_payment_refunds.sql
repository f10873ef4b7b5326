-- Written by `pay refund`. Read by `pay report`.
-- Money that was sent back to its payer. The signed transaction is kept before it is sent, so that a refund is never made twice.

create table payment_refund (
  key        text primary key references payment (key),
  chain_id   bigint not null,
  -- wallet that the money was sent from
  wallet     text not null,
  amount     bigint not null,
  tx_hash    text not null,
  raw_tx     bytea not null,
  signed_at  timestamptz not null default now(),
  settled_at timestamptz
);
