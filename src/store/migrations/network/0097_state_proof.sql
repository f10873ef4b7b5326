-- Written by the indexer and `audit --prove`. Read by `status`, for readiness and metrics.
-- When the index last agreed with proofs of the chain's own state, and how much of it was compared.
create table state_proof (
  height    integer not null,
  records   bigint not null,
  proven_at timestamptz not null
);
create unique index state_proof_one_idx on state_proof ((true));
comment on column state_proof.height is 'the state after this block was compared';
comment on column state_proof.records is 'balances, delegations, validators and supplies of which each was proven, and agreed';
