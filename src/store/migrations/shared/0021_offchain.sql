-- Written by the off-chain sources. Read by `status`.
-- Where the pollers of off-chain data stand, per network and source. The data itself is in the tables of its network.

create table offchain_state (
  network    text not null,
  source     text not null,
  -- how far a list of changes was read; 0 where there is none
  position   bigint not null,
  checked_at timestamptz,
  changed_at timestamptz,
  error      text,
  primary key (network, source)
);
comment on column offchain_state.checked_at is 'last look that worked';
comment on column offchain_state.error is 'why the last look failed; null when it did not';
