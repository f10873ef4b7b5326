-- Written by the process that delivers webhooks, with the outcome of every request. Read by it and by every API process.
-- Webhooks within the plan: what an account has had posted in a day, and until when a subscription rests that used it up.

alter table webhook add column paused_until timestamptz; -- when it continues by itself: the end of the day whose quota is used up

-- Requests that were posted to receivers, taken or not, by account and day (UTC).
create table webhook_usage (
  account text not null,
  day     date not null,
  events  bigint not null,
  bytes   bigint not null,
  primary key (account, day)
);
