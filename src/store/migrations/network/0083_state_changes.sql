-- Written by the indexer, in the commit of the block; removed by height on a rollback. Read by the API process that delivers webhooks.
-- When proposals and validators changed their state, for those who want to hear of it. Blocks indexed before have no rows here.
create table proposal_state (
  height      integer not null,
  id          bigint not null,
  time        timestamptz not null,
  proposal_id integer not null,
  status      text not null,
  primary key (height, id)
);

create table validator_state (
  height       integer not null,
  id           bigint not null,
  time         timestamptz not null,
  validator_id integer not null,
  jailed       boolean not null,
  primary key (height, id)
);
