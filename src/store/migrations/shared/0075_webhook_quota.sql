-- Webhooks within the plan: what an account has had posted in a day, and until when a subscription rests that used it up.

alter table webhook add column paused_until timestamptz;
comment on column webhook.paused_until is 'when it goes on by itself: the end of the day whose quota is used up';

create table webhook_usage (
  account text not null,
  day     date not null,
  events  bigint not null,
  bytes   bigint not null,
  primary key (account, day)
);
comment on table webhook_usage is 'requests that were posted to receivers, taken or not, by account and day (UTC)';
