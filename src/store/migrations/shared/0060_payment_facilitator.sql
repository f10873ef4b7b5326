-- Payments may be settled by a facilitator, whose transaction is known only after it was sent. What it is asked is kept before it is asked: its
-- answer may be lost, and it may be asked again, because the token takes an authorization once.

alter table payment add column facilitator_request text;
