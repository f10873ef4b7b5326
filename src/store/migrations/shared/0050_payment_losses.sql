-- Written by the paid surface. Read by `pay report`.
-- Gas that was paid for transactions which moved nothing. A payer whose transfers revert is held back for a while, on all replicas.

create table payment_loss (
  tx_hash  text primary key,
  chain_id bigint not null,
  settler  text,
  payer    text not null,
  -- reverted: the payer's doing; out_of_gas: ours
  reason   text not null,
  gas_wei  numeric not null,
  at       timestamptz not null default now()
);
create index payment_loss_payer_idx on payment_loss (payer, at);
create index payment_loss_at_idx on payment_loss (at);

-- What a payer has in flight is counted against its balance before another payment of it is sent.
create index payment_in_flight_idx on payment (payer) where state in ('claimed', 'broadcast');
create index payment_payer_idx on payment (payer, settled_at);
