-- Written by the paid surface and by `pay refund`. Read by the paid surface.
-- Plans that were bought: which payment pays for which time of an account.

-- What the ledger carries out in the transaction that notes the money, for goods that are more than an answer; null for answers.
alter table payment add column goods jsonb;

-- One row per payment whose money is here. Terms of an account follow each other without gaps and have one plan; its keys end with the last.
create table plan_term (
  payment_key text primary key references payment (key),
  account     text not null,
  -- key that was made for the payment, or that it renewed
  key_id      text not null,
  is_new      boolean not null,
  plan        text not null,
  -- value of the time from starts_at to ends_at, in millionths of a dollar; less than the price after a change of plan
  amount      bigint not null,
  starts_at   timestamptz not null,
  ends_at     timestamptz not null,
  -- refunded, or its transfer was dropped by the payment chain for good
  taken_at    timestamptz
);
create index plan_term_account_idx on plan_term (account); -- terms of an account

-- A process that sells keys may name every column but this one, so that it makes keys of customers only.
alter table api_key alter column role set default 'client';
alter table api_key alter column test_networks set default false;
