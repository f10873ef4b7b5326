-- Written by the indexer. Read by the API.
-- Governance, IBC, Hyperlane, signals, forwarding, zk ISMs. Entities change in place (undo log); transfers, votes' history and
-- updates with a height are append-only.

create table proposal (
  id                  integer primary key,
  height              integer not null,
  created_at          timestamptz not null,
  proposer_id         integer,
  deposit_time        timestamptz not null,
  activation_time     timestamptz,
  end_time            timestamptz,
  status              text not null,
  type                text not null,
  title               text not null,
  description         text not null,
  metadata            text not null,
  expedited           boolean not null,
  deposit             numeric not null,
  changes             jsonb,
  constants           jsonb not null,
  error               text,
  votes_count         integer not null,
  yes                 integer not null,
  no                  integer not null,
  no_with_veto        integer not null,
  abstain             integer not null,
  yes_vals            integer not null,
  no_vals             integer not null,
  no_with_veto_vals   integer not null,
  abstain_vals        integer not null,
  yes_addrs           integer not null,
  no_addrs            integer not null,
  no_with_veto_addrs  integer not null,
  abstain_addrs       integer not null,
  total_voting_power  numeric,
  voting_power        numeric not null,
  yes_voting_power    numeric not null,
  no_voting_power     numeric not null,
  no_with_veto_voting_power numeric not null,
  abstain_voting_power numeric not null,
  quorum              text,
  veto_quorum         text,
  threshold           text,
  min_deposit         text
);
comment on column proposal.constants is 'what becomes of the constants when it passes';

create table proposal_deposit (
  id           bigint primary key,
  proposal_id  integer not null,
  depositor_id integer not null,
  amount       numeric not null,
  height       integer not null,
  time         timestamptz not null
);

-- The valid votes: a new vote of the same voter replaces its older ones.
create table vote (
  id           bigint primary key,
  proposal_id  integer not null,
  voter_id     integer not null,
  validator_id integer,
  option       text not null,
  weight       numeric not null,
  height       integer not null,
  time         timestamptz not null
);
create index vote_proposal_idx on vote (proposal_id, id);             -- votes of a proposal
create index vote_voter_idx on vote (voter_id, id);                   -- votes of an address
create index vote_validator_idx on vote (validator_id, id);           -- votes of a validator

create table ibc_client (
  client_id              text primary key,
  number                 bigint not null,
  type                   text not null,
  chain_id               text not null,
  creator_id             integer,
  tx_id                  bigint,
  height                 integer not null,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  latest_revision_number numeric not null,
  latest_revision_height numeric not null,
  frozen_revision_number numeric not null,
  frozen_revision_height numeric not null,
  trusting_period        numeric not null,
  unbonding_period       numeric not null,
  max_clock_drift        numeric not null,
  trust_level_numerator  numeric not null,
  trust_level_denominator numeric not null,
  connection_count       integer not null
);
create table ibc_connection (
  connection_id              text primary key,
  number                     bigint not null,
  client_id                  text not null,
  counterparty_client_id     text not null,
  counterparty_connection_id text not null,
  created_tx_id              bigint,
  height                     integer not null,
  created_at                 timestamptz not null,
  connected_tx_id            bigint,
  connected_height           integer,
  connected_at               timestamptz,
  channels_count             integer not null
);
create table ibc_channel (
  port_id                 text not null,
  channel_id              text not null,
  number                  bigint not null,
  connection_id           text not null,
  client_id               text,
  counterparty_port_id    text not null,
  counterparty_channel_id text not null,
  version                 text not null,
  ordered                 boolean not null,
  status                  text not null,
  creator_id              integer,
  created_tx_id           bigint,
  height                  integer not null,
  created_at              timestamptz not null,
  confirmation_tx_id      bigint,
  confirmation_height     integer,
  confirmed_at            timestamptz,
  sent                    numeric not null,
  received                numeric not null,
  transfers_count         integer not null,
  primary key (port_id, channel_id)
);
create table ibc_transfer (
  height         integer not null,
  id             bigint not null,
  time           timestamptz not null,
  tx_id          bigint,
  direction      text not null,
  channel_id     text not null,
  port_id        text not null,
  connection_id  text not null,
  chain_id       text not null,
  amount         numeric not null,
  denom          text not null,
  memo           text,
  sender_id      integer,
  sender         text not null,
  receiver_id    integer,
  receiver       text not null,
  timeout        timestamptz,
  timeout_height numeric not null,
  sequence       numeric not null,
  relayer_id     integer,
  primary key (height, id)
);
comment on column ibc_transfer.relayer_id is 'first signer of the tx that relayed the packet';
create index ibc_transfer_channel_idx on ibc_transfer (channel_id, id);
create index ibc_transfer_chain_idx on ibc_transfer (chain_id, id);
create index ibc_transfer_sender_idx on ibc_transfer (sender_id, id);
create index ibc_transfer_receiver_idx on ibc_transfer (receiver_id, id);
create index ibc_transfer_tx_idx on ibc_transfer (tx_id);

create table hl_mailbox (
  mailbox           text primary key,
  number            integer not null,
  owner_id          integer,
  default_ism       text,
  default_hook      text,
  required_hook     text,
  domain            bigint not null,
  sent_messages     integer not null,
  received_messages integer not null,
  tx_id             bigint,
  height            integer not null,
  time              timestamptz not null
);
create table hl_token (
  token_id           text primary key,
  number             integer not null,
  mailbox            text not null,
  type               text not null,
  denom              text not null,
  owner_id           integer,
  sent               numeric not null,
  received           numeric not null,
  sent_transfers     integer not null,
  received_transfers integer not null,
  tx_id              bigint,
  height             integer not null,
  time               timestamptz not null
);
create table hl_transfer (
  height       integer not null,
  id           bigint not null,
  time         timestamptz not null,
  tx_id        bigint,
  direction    text not null,
  mailbox      text not null,
  token_id     text not null,
  domain       bigint not null,
  counterparty text not null,
  address_id   integer,
  relayer_id   integer,
  amount       numeric not null,
  denom        text not null,
  version      integer not null,
  nonce        bigint not null,
  body         bytea not null,
  metadata     bytea not null,
  message_id   text not null,
  primary key (height, id)
);
create index hl_transfer_address_idx on hl_transfer (address_id, id);
create index hl_transfer_relayer_idx on hl_transfer (relayer_id, id);
create index hl_transfer_token_idx on hl_transfer (token_id, id);
create index hl_transfer_mailbox_idx on hl_transfer (mailbox, id);
create index hl_transfer_domain_idx on hl_transfer (domain, id);
create index hl_transfer_tx_idx on hl_transfer (tx_id);

create table hl_igp (
  igp_id   text primary key,
  number   integer not null,
  owner_id integer,
  denom    text not null,
  height   integer not null,
  time     timestamptz not null
);
create table hl_igp_config (
  igp_id              text not null,
  remote_domain       bigint not null,
  gas_overhead        numeric not null,
  gas_price           numeric not null,
  token_exchange_rate text not null,
  primary key (igp_id, remote_domain)
);
create table hl_gas_payment (
  height     integer not null,
  id         bigint not null,
  time       timestamptz not null,
  tx_id      bigint,
  igp_id     text not null,
  message_id text not null,
  domain     bigint not null,
  gas_amount numeric not null,
  amount     numeric not null,
  denom      text not null,
  primary key (height, id)
);
create index hl_gas_payment_message_idx on hl_gas_payment (message_id);-- the payment of a transfer

create table signal_version (
  height       integer not null,
  id           bigint not null,
  time         timestamptz not null,
  tx_id        bigint,
  validator_id integer not null,
  version      bigint not null,
  voting_power numeric not null,
  primary key (height, id)
);
create index signal_version_validator_idx on signal_version (validator_id, id);
create table upgrade (
  version       bigint primary key,
  height        integer not null,
  time          timestamptz not null,
  end_height    integer,
  end_time      timestamptz,
  applied_at_level integer,
  applied_at    timestamptz,
  signer_id     integer,
  tx_id         bigint,
  message_id    bigint,
  voting_power  numeric not null,
  voted_power   numeric not null,
  signals_count integer not null,
  status        text not null
);

create table forwarding (
  height         integer not null,
  id             bigint not null,
  time           timestamptz not null,
  tx_id          bigint,
  address_id     integer not null,
  dest_domain    bigint not null,
  dest_recipient text not null,
  token_id       text not null,
  amount         numeric not null,
  denom          text not null,
  message_id     text not null,
  primary key (height, id)
);
create index forwarding_address_idx on forwarding (address_id, id);

create table zkism (
  ism_id                text primary key,
  number                integer not null,
  creator_id            integer,
  state                 text not null,
  merkle_tree_address   text not null,
  groth16_vkey          text not null,
  state_transition_vkey text not null,
  state_membership_vkey text not null,
  tx_id                 bigint,
  height                integer not null,
  time                  timestamptz not null
);
create table zkism_update (
  height    integer not null,
  id        bigint not null,
  time      timestamptz not null,
  tx_id     bigint,
  ism_id    text not null,
  signer_id integer,
  state     text not null,
  primary key (height, id)
);
create table zkism_message (
  height     integer not null,
  id         bigint not null,
  time       timestamptz not null,
  tx_id      bigint,
  ism_id     text not null,
  signer_id  integer,
  state_root text not null,
  message_id text not null,
  primary key (height, id)
);
