-- Settled payments are watched until they are so deep that the payment chain does not take them back any more.

-- block that the transfer was mined in
alter table payment add column settled_block bigint;
-- deep enough; until then the signed transaction is kept to be sent again
alter table payment add column final_at timestamptz;
create index payment_watch_idx on payment (chain_id, settled_block) where settled_block is not null and final_at is null;
