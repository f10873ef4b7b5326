-- Written by every API process. Read by every API process.
-- Servers that share the counters of the limits: one that is alone may give a whole bucket
-- before it has asked.
create table limit_server (
  id      text primary key,
  -- told anew every second; one that is silent is gone
  seen_at timestamptz not null
);
