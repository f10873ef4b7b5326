-- A payment whose answer nobody fetched becomes a credit: the same credential still gets its answer, or the money goes back.

alter table payment drop constraint payment_state_check;
alter table payment add constraint payment_state_check
  check (state in ('claimed', 'broadcast', 'settled', 'credit', 'delivered', 'refunded', 'failed'));
-- the client hung up before it had its answer: nothing we failed to do
alter table payment add column left_at timestamptz;
drop index payment_open_idx;
create index payment_open_idx on payment (lease_until) where state in ('claimed', 'broadcast', 'settled', 'credit');
