-- Several payments may share a transaction, and more than one of them may fail.

alter table payment_loss drop constraint payment_loss_pkey;
alter table payment_loss add primary key (tx_hash, payer);
